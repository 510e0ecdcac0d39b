import { catalogue } from '../../../../copy/catalogue.ts';

/** The texts of fetching and putting files of a device. */
export const filesCopy = catalogue('files', {
  title: 'Files',
  text: 'Fetch a file that the owner of this device lists, or put one there. Who does it, and the path, are in the log.',
  path: 'Path on the device',
  pathHint: 'Such as /var/log/press.log',
  pathMissing: 'Write a path that begins with /.',
  reason: 'Reason',
  reasonMissing: 'Say why you need it.',
  fetch: 'Fetch',
  put: 'Put a File …',
  choose: 'File to put',
  cancel: 'Cancel',
  fetching: (path: string) => `Fetching ${path}`,
  putting: (path: string) => `Putting ${path}`,
  fetched: (path: string) => `${path} was fetched`,
  wasPut: (path: string) => `${path} was put`,
  cancelled: 'It was cancelled: no file has changed.',
  changed: 'The file changed while it was fetched: try again.',
  unread: 'The file cannot be read any more: choose it again.',
  unreachable: 'The hub cannot be reached: try again.',
  failed: 'The file was not transferred',
  notOffered: 'This device offers no files. As root on the device, add the two commands of its kit:',
  lists:
    'Then list files or folders, one a line, in /etc/corral/readable-files and /etc/corral/writable-files.',
  more: 'More about commands on a device',
  secondPerson: 'Terminals in this project need a second person: files can be neither fetched nor put.',
  recording:
    'Terminals in this project have to be recorded, which files are not: they can be neither fetched nor put.',
  notAllowed: 'Whoever may open a terminal here fetches and puts files.',
  notConnected: 'Files can be fetched and put as soon as the device is connected.',
});
