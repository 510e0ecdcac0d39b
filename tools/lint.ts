import { join } from 'node:path';
import type { Finding } from './file-rules.ts';
import { runCollecting } from './run.ts';
import { repositoryRoot } from './source-files.ts';

interface Diagnostic {
  message: string;
  code?: string;
  severity: string;
  help?: string;
  filename: string;
  labels: { span: { line: number } }[];
}

// The configured message of these rules is in `help`; `message` only repeats the import.
const hasOwnMessage = /no-restricted/;

/** Runs oxlint over a folder that is laid out like the repository and holds its oxlint.config.ts. */
export async function lint(folder: string): Promise<Finding[]> {
  const oxlint = join(repositoryRoot, 'node_modules/oxlint/bin/oxlint');
  const { output } = await runCollecting(process.execPath, [oxlint, '--format=json', '.'], folder);
  return readDiagnostics(output).map((diagnostic) => ({
    severity: diagnostic.severity === 'error' ? 'error' : 'warning',
    place: `${diagnostic.filename}:${diagnostic.labels[0]?.span.line ?? 1}`,
    message: messageOf(diagnostic),
  }));
}

function readDiagnostics(output: string): Diagnostic[] {
  try {
    return (JSON.parse(output) as { diagnostics: Diagnostic[] }).diagnostics;
  } catch {
    throw new Error(`oxlint could not run: ${output.trim()}`);
  }
}

function messageOf({ message, code = '', help }: Diagnostic): string {
  if (help === undefined) return `${message} (${code})`;
  const subject = /'[^']+'/.exec(message)?.[0];
  return hasOwnMessage.test(code) && subject !== undefined
    ? `${subject}: ${help}`
    : `${message} ${help} (${code})`;
}
