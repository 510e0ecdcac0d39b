/** The property by which a device says what commands it offers. */
export const commandsProperty = 'dev.nexigon.commands';

/** The properties by which agents describe the system that they run on; the first clients write the second. */
export const systemInfoProperties = ['dev.nexigon.system.info', 'dev.nexigon.systemInfo'] as const;

/** The property by which a device says how it is. */
export const healthProperty = 'dev.nexigon.system.health';
