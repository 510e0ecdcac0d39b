import { mapConcurrently, readList } from '@corral/client';
import type { Command } from 'commander';
import { plainText } from '../output/plain-text.ts';
import { table } from '../output/table.ts';
import { withExample, type CommandContext } from './command-context.ts';

/** `corral projects list`. */
export function addProjects(program: Command, work: CommandContext): void {
  const command = program
    .command('projects')
    .description('Works with projects.')
    .command('list')
    .description('Lists the projects that you can access.')
    .action(() => list(work));
  withExample(command, 'corral projects list');
}

async function list(work: CommandContext): Promise<void> {
  const out = work.output();
  const hub = work.hub();
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
    return table(['NAME', 'DEVICES', 'CONNECTED', 'PROJECT'], rows, out);
  });
}
