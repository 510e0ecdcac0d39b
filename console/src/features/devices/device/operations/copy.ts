import { catalogue } from '../../../../copy/catalogue.ts';

/** The texts of the operations of a device. */
export const deviceOperationsCopy = catalogue('deviceOperations', {
  tab: 'Operations',
  run: {
    title: 'Run command',
    command: 'Command',
    placeholder: 'Choose a command',
    verb: 'Run',
    equivalent: 'Equivalent command',
    name: (command: string) => `Run ${command}`,
    choose: 'Choose a command',
    reading: 'Loading commands...',
    none: 'This device offers no commands.',
    how: 'How a device offers some',
    offline: 'The device is not connected; the command runs as soon as it is, within a week.',
    result: 'Result',
    resultHere: 'The result shows here as soon as the device tells it.',
    waits: 'It waits until the device is connected and does nothing else.',
    open: 'Open',
  },
  list: {
    title: 'Operations of the device',
    columns: {
      name: 'Name',
      status: 'Status',
      step: 'Step',
      word: 'Last word',
      started: 'Started',
      ended: 'Ended',
    },
    fleet: 'part of an operation on several devices',
    emptyTitle: 'No operations',
    emptyText: 'What was run on this device shows here: commands of people, and operations on many devices.',
    csvName: 'device-operations',
  },
});
