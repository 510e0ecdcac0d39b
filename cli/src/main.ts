import { createInterface } from 'node:readline/promises';
import { resolve } from 'node:path';
import { httpExecutor } from '@corral/client';
import { ActionError, errorKinds, isActionName } from '@corral/contract';
import { Command } from 'commander';
import { CliError } from './CliError.ts';
import { checkConfig, homeFile, loadConfig, localFile, saveConfig } from './config.ts';
import { connect } from './connect.ts';
import { forwardPort, parsePortPair } from './forward.ts';

const program = new Command('corral').description('Works with a Corral hub from the command line.');
const say = (line: string): void => void process.stderr.write(`${line}\n`);

program
  .command('configure')
  .description('Asks for the hub and a user token and keeps them for the next commands.')
  .option('--local', 'keep them in this folder instead of the home folder')
  .action(async ({ local }: { local?: boolean }) => {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const hubUrl = await terminal.question('Address of the hub: ');
    const token = await terminal.question('User token (console, Settings, Security): ');
    terminal.close();
    const path = local === true ? resolve(localFile) : homeFile;
    await saveConfig(path, checkConfig(hubUrl.trim(), token.trim()));
    say(`Kept in ${path}.`);
  });

program
  .command('actions')
  .description('Works with the actions of the hub.')
  .command('execute')
  .description('Runs one action and prints its output as JSON.')
  .argument('<name>', 'such as projects_QueryProjects')
  .argument('[input]', 'JSON', '{}')
  .action(async (name: string, text: string) => {
    const { hubUrl, token } = loadConfig(process.env, process.cwd());
    if (!isActionName(name)) throw new CliError(`There is no action ${name}.`);
    const output = await httpExecutor({ baseUrl: hubUrl, token }).invoke(name, parseJson(text) as never);
    process.stdout.write(`${JSON.stringify(output, null, 2)}\n`);
  });

program
  .command('forward')
  .description('Leads ports of this machine to ports of a device, until it is stopped.')
  .argument('<device>', 'the id of the device, d_…')
  .argument('<ports...>', 'LOCAL:REMOTE')
  .action(async (device: string, ports: string[]) => {
    const pairs = ports.map(parsePortPair);
    const { connection, end } = await connect(loadConfig(process.env, process.cwd()));
    for (const pair of pairs) {
      const { localPort } = await forwardPort(connection, device, pair, say);
      say(`127.0.0.1:${localPort} leads to port ${pair.devicePort} of ${device}`);
    }
    process.once('SIGINT', () => connection.close('')).once('SIGTERM', () => connection.close(''));
    const { cause, reason } = await end;
    if (cause !== 'closed')
      throw new CliError(`The connection to the hub ended${reason === '' ? '' : `: ${reason}`}.`);
    process.exit(0);
  });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CliError('The input is not valid JSON.', { cause });
  }
}

/** What went wrong, in one line, as `Kind: message` where the hub says so. */
function sentenceOf(error: unknown): string {
  if (error instanceof ActionError) return `${errorKinds[error.kind].wireKind}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

try {
  await program.parseAsync();
} catch (error) {
  say(sentenceOf(error));
  process.exit(1);
}
