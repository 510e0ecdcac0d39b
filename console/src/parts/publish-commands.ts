/** The command that creates a repository. */
export function createRepositoryCommand(name: string): string {
  return `corral repositories create ${shellQuoted(name)}`;
}

/** The command that creates a package. */
export function createPackageCommand(repositoryName: string): string {
  return `corral packages create ${shellQuoted(`${repositoryName}/my-package`)}`;
}

/** The commands that write a manifest and publish what it describes. */
export function publishCommands(repositoryName: string): string {
  return [
    "cat > publish.toml <<'END'",
    `repository = ${JSON.stringify(repositoryName)}`,
    'package = "my-package"',
    'version = "1.0.0"',
    'tags = ["latest"]',
    'files = ["build/*"]',
    'END',
    'corral publish',
  ].join('\n');
}

/** The command that fetches and verifies the files of a version: `repository/package@tag`, or the id of the version. */
export function pullCommand(version: string): string {
  return `corral pull ${shellQuoted(version)}`;
}

/** The command that fetches a file of a public repository without signing in, under its name: of the header, curl reads only the part without accents. */
export function curlCommand(url: string, filename: string): string {
  return `curl -fL -o ${shellQuoted(savedName(filename))} ${shellQuoted(url)}`;
}

/** The last part of a name without invisible characters, which is no option and no name of a folder. */
function savedName(filename: string): string {
  const last = filename.split(/[/\\]/u).findLast((part) => part !== '') ?? '';
  const name = last.replaceAll(/\p{C}/gu, '');
  if (name === '' || name === '.' || name === '..') return 'download';
  return name.startsWith('-') ? `./${name}` : name;
}

/** The address of a file in a public repository, at the hub at `origin`. */
export function publicUrl(origin: string, path: readonly [repository: string, ...rest: string[]]): string {
  return [origin, 'r', ...path.map((part) => encodeURIComponent(part))].join('/');
}

/** A text as one word of the shell. */
export function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
