/** The property by which a device says what commands it offers. */
export const commandsProperty = 'dev.nexigon.commands';

/** The property by which agents describe the system that they run on. */
export const systemInfoProperty = 'dev.nexigon.system.info';

/** The same, as the first agents name it. */
export const firstSystemInfoProperty = 'dev.nexigon.systemInfo';

/** The property by which a device says how it is. */
export const healthProperty = 'dev.nexigon.system.health';
