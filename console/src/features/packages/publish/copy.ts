import { catalogue } from '../../../copy/catalogue.ts';
import { count } from '../../../copy/count.ts';

const listed = (parts: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(parts);

/** The texts of publishing a version in the browser. */
export const publishCopy = catalogue('publish', {
  title: 'New version',
  text: 'Nothing happens before you publish. The tags are set last, when all files are there.',
  name: 'Name',
  nameHint: 'Such as 1.4.0. People and manifests call the version so.',
  nameTaken: 'Another version has this name already. Both can have it.',
  files: {
    title: 'Files',
    text: 'what devices fetch',
    drop: 'Drop files here, or choose them.',
    choose: 'Choose Files',
    listTitle: 'Files to publish',
    removeOf: (filename: string) => `Leave out ${filename}`,
    leftOut: (n: number) =>
      `${count(n, 'file was', 'files were')} left out: a version has at most 1,000 files.`,
  },
  tags: {
    title: 'Tags',
    text: 'who gets it',
    add: 'Add Tag',
    label: 'Another tag',
    known: 'Suggestions:',
    take: (tag: string) => `${tag}: take this tag`,
    listTitle: 'Tags to set',
    isNew: 'new',
    points: (version: string) => `points at ${version} now`,
    lockedAt: (version: string) => `is locked at ${version} and can never be moved. Choose another one.`,
    lock: 'Lock it',
    removeOf: (tag: string) => `Leave out the tag ${tag}`,
    none: 'Without a tag, the version is found by its id and in the list only.',
  },
  metadata: {
    title: 'Metadata',
    text: 'such as its commit',
    none: 'None yet.',
    add: 'Add',
  },
  preview: {
    title: 'Preview',
    asOfNow: 'as of now',
    files: (n: number) => (n === 1 ? 'file' : 'files'),
    size: 'in all',
    tags: (n: number) => (n === 1 ? 'tag' : 'tags'),
    changes: 'What changes',
    noTags: 'No tag moves. No device gets this version by itself.',
    added: 'new',
    to: 'to',
    unnamed: 'this version',
    lockedFor: (tags: readonly string[]) =>
      `${listed(tags)} ${tags.length === 1 ? 'stays' : 'stay'} here for good: nobody can move, remove or unlock ${tags.length === 1 ? 'it' : 'them'}.`,
    followers: 'Devices that may follow',
    noProjects: 'No project is linked to the repository.',
    devices: (n: number) => count(n, 'device', 'devices'),
    more: (n: number) => `and ${n} more`,
    noFiles: 'It has no files: a device that follows its tags finds nothing to fetch.',
  },
  publish: 'Publish',
  publishOf: (name: string) => `Publish ${name}`,
  cancel: 'Discard',
  isLocked: (tag: string) => `The tag ${tag} is locked elsewhere.`,
  notAdded: (tag: string) => `Add the tag ${tag}, or clear its field.`,
  reading: 'Reading what the tags point at...',
  notice: {
    waiting: (tags: readonly string[]) =>
      `${tags.length === 1 ? 'The tag' : 'The tags'} ${listed(tags)} ${tags.length === 1 ? 'is' : 'are'} set when all files are here`,
    setting: (tags: readonly string[]) => `Setting ${listed(tags)}...`,
    stopped: (tags: readonly string[]) =>
      `This version is unfinished: ${listed(tags)} ${tags.length === 1 ? 'is' : 'are'} not set`,
    stays: 'Until then no tag moves.',
    complete: 'Complete the uploads below, or remove them from the list. Until then no tag moves.',
    chooseAgain: 'Choose the missing files again. Until then no tag moves.',
    ready: 'No upload is waiting. Check the files below, then set the tags.',
    set: (n: number) => (n === 1 ? 'Set Tag' : 'Set Tags'),
    retry: 'Try Again',
    giveUp: 'Leave Unset',
  },
  done: (tags: readonly string[], version: string) =>
    tags.length === 1 ? `“${tags[0]}” points at ${version}` : `${tags.length} tags point at ${version}`,
  created: (version: string) => `Version ${version} was created`,
});
