import { shellQuoted } from '../../../parts/publish-commands.ts';
import { deviceCopy } from './copy.ts';

const words = deviceCopy.cli;

/** The commands of the command line for a device, with its ids filled in. */
export function deviceCommands(deviceId: string, propertyName: string): { does: string; code: string }[] {
  return [
    { does: words.show, code: `corral devices show ${deviceId}` },
    { does: words.property, code: `corral devices properties get ${deviceId} ${shellQuoted(propertyName)}` },
    { does: words.events, code: `corral devices events ${deviceId}` },
    { does: words.forward, code: `corral forward ${deviceId} 8080:80` },
  ];
}
