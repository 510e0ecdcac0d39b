import type { Json } from '@corral/contract';
import type { OfferedCommand } from '../device-commands/offered-command.ts';

/** What a simulated device can do. */
export interface Abilities {
  /** Whether the hub may have commands run through channels. */
  readonly takesCommands: boolean;
  /** Whether it asks for steps of operations. */
  readonly asksForWork: boolean;
  /** Who may have a terminal on it. */
  readonly terminalUsers: readonly string[];
  /** The properties in which it looks for the version that it shall have. */
  readonly wantedProperties: readonly WantedProperty[];
}

/** A property that names a wanted version: that of Rugix, and that of the recipe `property`. */
export type WantedProperty = 'dev.nexigon.ota.config' | 'corral.wanted';

/** The abilities of a device by its index: of ten, eight ask for work, the eighth takes commands through channels only, and the ninth only looks at properties and has no terminals. */
export function abilitiesOf(index: number): Abilities {
  return {
    takesCommands: index % 10 !== 8,
    asksForWork: index % 10 !== 8 && index % 10 !== 7,
    terminalUsers: index % 10 === 8 ? [] : ['root', 'operator'],
    wantedProperties: ['dev.nexigon.ota.config', ...(index % 10 === 8 ? (['corral.wanted'] as const) : [])],
  };
}

/** The services of a device; they differ between models. */
const services = [
  ['gateway', 'modem'],
  ['gateway', 'camera', 'recorder'],
] as const;

/** The commands of a simulated device by its index. */
export function commandsOf(index: number): readonly SimulatedCommand[] {
  const units = services[index % services.length] ?? services[0];
  return [
    {
      name: 'reboot',
      description: 'Restart the device',
      category: 'system',
      input: object({ delaySecs: { type: 'integer', minimum: 0, maximum: 60, description: 'Wait before' } }),
    },
    {
      name: 'collect-logs',
      description: 'Return the last lines of the log',
      category: 'diagnosis',
      input: object({ lines: { type: 'integer', minimum: 1, maximum: 200, default: 20 } }),
      output: { type: 'object', required: ['lines'] },
    },
    {
      name: 'restart-service',
      description: 'Restart a service of the device',
      category: 'system',
      input: object({ unit: { enum: [...units], description: 'The service' } }, ['unit']),
    },
    {
      name: 'install',
      description: 'Install a version of a package',
      category: 'software',
      input: {
        type: 'object',
        properties: {
          repository: { type: 'string' },
          package: { type: 'string' },
          version: { type: 'string', description: 'The name of the version' },
        },
        required: ['repository', 'package', 'version'],
      },
    },
  ];
}

/** A command that runs nothing. */
export type SimulatedCommand = Omit<OfferedCommand, 'handler' | 'timeoutSecs'>;

function object(properties: Record<string, Json>, required: string[] = []): Json {
  return { type: 'object', properties, required, additionalProperties: false };
}
