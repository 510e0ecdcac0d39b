import { enDevice } from '../../copy/en-device.ts';

const words = enDevice.cli;

/** What the command line can do with a device, each as one command with its values filled in. */
export function deviceCommands(deviceId: string, propertyName: string): { does: string; code: string }[] {
  return [
    { does: words.show, code: `corral devices show ${deviceId}` },
    { does: words.property, code: `corral devices properties get ${deviceId} ${quoted(propertyName)}` },
    { does: words.events, code: `corral devices events ${deviceId}` },
    { does: words.forward, code: `corral forward ${deviceId} 8080:80` },
  ];
}

// A property may be called anything, and a shell must not read more into it.
function quoted(name: string): string {
  return /^[\w.:/-]+$/u.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`;
}
