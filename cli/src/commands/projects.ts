import { mapConcurrently, readList } from '@corral/client';
import type { Id } from '@corral/contract';
import type { Command } from 'commander';
import { findProject } from '../hub/list-devices.ts';
import { plainText } from '../output/plain-text.ts';
import { table, words } from '../output/table.ts';
import { withExample, type CommandContext } from './command-context.ts';

/** `corral projects`. */
export function addProjects(program: Command, context: CommandContext): void {
  const projects = program.command('projects').description('Works with projects.');
  const listing = projects
    .command('list')
    .description('Lists the projects that you can access.')
    .action(() => list(context));
  withExample(listing, 'corral projects list');
  const exporting = projects
    .command('export-log')
    .description('Prints the sealed entries of the log of a project as lines of JSON, each with its proof.')
    .argument('<project>', 'name or id of the project')
    .action((given: string) => exportLog(context, given));
  withExample(exporting, 'corral projects export-log Plant > plant.jsonl');
}

async function exportLog(context: CommandContext, given: string): Promise<void> {
  const [hub, out] = [context.hub(), context.output()];
  const projectId = await findProject(hub, given);
  let isEmpty = true;
  for (let after: Id<'auditEvent'> | undefined; ;) {
    const input = { projectId, ...(after === undefined ? {} : { after }) };
    const { lines, next } = await hub.invoke('projects_ExportAuditLog', input);
    for (const line of lines) out.write(`${line}\n`);
    isEmpty &&= lines.length === 0;
    if (next === undefined) break;
    after = next;
  }
  if (isEmpty) out.note('The log has no sealed entries yet: the hub seals them within two minutes.');
}

async function list(context: CommandContext): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const { projects } = await readList(hub, 'projects_QueryProjects', {});
  const details = await mapConcurrently(projects, ({ projectId }) =>
    hub.invoke('projects_GetProjectDetails', { projectId }),
  );
  out.result({ projects: details }, () => {
    if (details.length === 0) return 'You can access no project yet.';
    const rows = details.map(({ projectId, name, deviceCount, connectedDeviceCount }) => [
      plainText(name),
      String(deviceCount),
      String(connectedDeviceCount ?? ''),
      { text: projectId, paint: out.style.dim },
    ]);
    return table([words('NAME'), 'DEVICES', 'CONNECTED', 'PROJECT'], rows, out);
  });
}
