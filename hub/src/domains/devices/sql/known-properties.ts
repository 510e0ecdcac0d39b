/** The property in which a device lists the commands that it offers. */
export const commandsProperty = 'dev.nexigon.commands';

/** The property in which a device reports the version that it installed. */
export const installedProperty = 'corral.installed';

/** The property in which agents describe the system that they run on. */
export const systemInfoProperty = 'dev.nexigon.system.info';

/** The name of the same property in the first agents. */
export const firstSystemInfoProperty = 'dev.nexigon.systemInfo';

/** The property in which a device reports its health. */
const healthProperty = 'dev.nexigon.system.health';

const shownInLists: ReadonlySet<string> = new Set([
  systemInfoProperty,
  firstSystemInfoProperty,
  healthProperty,
]);

/** Whether the trigger copy_shown_properties copies a part of the property to the columns of its device, for lists. */
export function isShownInLists(name: string): boolean {
  return shownInLists.has(name);
}
