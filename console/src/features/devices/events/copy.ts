import { catalogue } from '../../../copy/catalogue.ts';

/** The texts of the events of a project. */
export const projectEventsCopy = catalogue('projectEvents', {
  text: 'What the devices of this project report, newest first.',
  device: 'Device',
  csvName: 'events',
  emptyTitle: 'No events yet',
  emptyText: 'What devices report by their agents or the command line on them shows here.',
  deviceFilter: 'ID of the device',
});
