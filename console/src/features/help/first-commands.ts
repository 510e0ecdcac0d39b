import { helpCopy } from './copy.ts';

const words = helpCopy.cli;

/** Example commands for a new user of the command line. */
export const firstCommands = (): readonly { does: string; code: string }[] => [
  { does: words.login, code: 'corral whoami' },
  { does: words.list, code: 'corral projects list' },
  { does: words.devices, code: 'corral devices list' },
  { does: words.forward, code: 'corral forward DEVICE 2222:22' },
  { does: words.execute, code: `corral actions execute projects_CreateProject '{"name":"Harbour"}'` },
];
