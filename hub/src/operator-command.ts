const program = programOf(import.meta.filename);

/** How an operator calls a command of this hub, such as `corral-hub doctor`; in a checkout and by npx it begins otherwise. */
export function operatorCommand(command: string): string {
  return `${program} ${command}`;
}

/** The words before a command, for a hub of which this is a file: sources run as they are only in a checkout, and npm installs programs for all users below `lib`. */
export function programOf(file: string): string {
  if (file.endsWith('.ts')) return 'npm start --';
  return /(?<!\/lib)\/node_modules\//.test(file) ? 'npx corral-hub' : 'corral-hub';
}
