import { catalogue } from '../../copy/catalogue.ts';
import { count } from '../../copy/count.ts';

/** The texts of the settings of a project. */
export const projectSettingsCopy = catalogue('projectSettings', {
  rename: {
    title: 'Name',
    verb: 'Rename Project',
    text: 'People find the project by its name. Devices, tokens, links and the command line use its id, which stays.',
    dialogTitle: (name: string) => `Rename “${name}”`,
    renamed: (name: string) => `The project is now called “${name}”`,
    failed: 'The project was not renamed',
    ownerOnly: 'Only an owner of the project may rename it.',
  },
  versions: {
    title: 'Versions on devices',
    verb: 'Change Fields',
    text: 'The overview counts the devices by the agent, the system, and properties whose names end in “version”.',
    chosenText: (fields: string) => `The overview counts the devices by ${fields}.`,
    fields: 'Fields',
    explanation:
      'Up to four, as filters name them, with blanks between them: firmware ota.version. Leave it empty and the hub finds them.',
    dialogTitle: () => 'Fields that are versions',
    renamed: (fields: string) =>
      fields === '' ? 'The hub finds versions by itself again' : `The versions are ${fields}`,
    failed: 'The fields were not changed',
    ownerOnly: 'Only an owner of the project may change them.',
  },
  webhooks: 'They tell other programs what happens in this project.',
  seeWebhooks: 'See Webhooks',
  otlp: 'It sends events of devices, and what happens in the project, to a collector of OpenTelemetry.',
  seeOtlp: 'See Export',
  approval: {
    title: 'Second person',
    verb: 'Change Approval',
    text: 'Who creates an operation may start it, members on up to ten devices.',
    chosen: (parts: readonly string[]) =>
      `Another owner than its creator has to start an operation ${new Intl.ListFormat('en', { type: 'disjunction' }).format(parts)}.`,
    chosenAbove: (n: number) => `on more than ${count(n, 'device', 'devices')}`,
    chosenCommands: (names: readonly string[]) =>
      `that runs ${new Intl.ListFormat('en', { type: 'disjunction' }).format(names)}`,
    explanation:
      'Another owner than its creator then has to start such an operation. Leave both fields empty and nobody has to.',
    above: 'On more devices than',
    commands: 'That run one of these commands',
    commandsHint: 'Their names, with spaces between them.',
    invalidAbove: 'A whole number between 0 and 1,000,000.',
    tooMany: 'At most 50 commands.',
    changed: 'The policy was changed',
    off: 'No operation needs a second person now',
    ownerOnly: 'Only an owner of the project may change it.',
  },
  danger: 'Danger Zone',
  deleteProject: 'Delete Project',
  deleteTitle: (name: string) => `Delete project “${name}”`,
  text: 'This deletes the project with everything in it and cannot be undone.',
  deletes: (parts: string) => `${parts} are deleted with it. Live connections are cut at once.`,
  deletesNothing: 'It is empty except for its log.',
  devices: (n: number) => count(n, 'device', 'devices'),
  tokens: (n: number) => count(n, 'deployment token', 'deployment tokens'),
  members: (n: number) => count(n, 'membership', 'memberships'),
  repositories: (n: number) => count(n, 'repository link', 'repository links'),
  and: (parts: readonly string[]) => new Intl.ListFormat('en', { type: 'conjunction' }).format(parts),
  ownerOnly: 'Only an owner of the project may delete it.',
  deleted: (name: string) => `Project “${name}” was deleted`,
  about: 'Project',
  id: 'Project Id',
  deviceQuota: 'Devices',
  role: 'Your role',
});
