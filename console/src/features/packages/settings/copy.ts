import { catalogue } from '../../../copy/catalogue.ts';
import { count } from '../../../copy/count.ts';

const listed = (parts: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(parts);

/** The texts about changing and deleting packages, versions and their files. */
export const packageSettingsCopy = catalogue('packageSettings', {
  title: 'Package settings',
  open: 'Settings',
  about: 'Package',
  id: 'Package Id',
  created: 'Created At',
  danger: 'Danger Zone',
  packageName: {
    title: 'Name',
    verb: 'Rename Package',
    text: 'Public addresses, manifests and commands find the package by its name.',
    consequences:
      'Manifests, scripts and devices that name it have to use the new name. While one of its tags is locked, the name stays.',
    dialogTitle: (name: string) => `Rename “${name}”`,
    renamed: (name: string) => `The package is now called “${name}”`,
    failed: 'The package was not renamed',
    taken: (name: string) => `The repository has a package named ${name} already.`,
  },
  kind: {
    title: 'Kind',
    verb: 'Change Kind',
    text: 'It says what the package is, or what installs it.',
    none: 'It has none.',
    is: (kind: string) => `It is ${kind}.`,
    dialogTitle: () => 'Change the kind',
    renamed: (kind: string) => (kind === '' ? 'The package has no kind' : `The kind is now ${kind}`),
    failed: 'The kind was not changed',
  },
  deletePackage: {
    verb: 'Delete Package',
    title: (name: string) => `Delete package “${name}”`,
    text: (versions: number) =>
      `This deletes the package with ${versions === 0 ? 'its files' : count(versions, 'version', 'versions')} and cannot be undone. While one of its tags is locked, it stays.`,
    devices: 'Devices that follow one of its tags find nothing afterwards. What they have installed stays.',
    done: (name: string) => `Package “${name}” was deleted`,
  },
  versionName: {
    title: 'Name',
    verb: 'Rename Version',
    text: 'Tags and addresses stay as they are: they do not depend on the name.',
    dialogTitle: (name: string) => (name === '' ? 'Name this version' : `Rename “${name}”`),
    renamed: (name: string) =>
      name === '' ? 'The version has no name' : `The version is now called “${name}”`,
    failed: 'The version was not renamed',
  },
  deleteVersion: {
    verb: 'Delete Version',
    title: (name: string) => `Delete version “${name}”`,
    text: 'This deletes the version with its files and cannot be undone.',
    tags: (tags: readonly string[]) =>
      `${tags.length === 1 ? 'The tag' : 'The tags'} ${listed(tags)} ${tags.length === 1 ? 'goes' : 'go'} with it: devices that follow ${tags.length === 1 ? 'it' : 'them'} find nothing afterwards.`,
    noTags: 'No tag points at it.',
    locked: (tag: string) => `The locked tag ${tag} points at it for good, so it stays.`,
    done: (name: string) => `Version “${name}” was deleted`,
  },
  removeFile: {
    verb: 'Remove File',
    title: (filename: string) => `Remove the file ${filename}`,
    version: (name: string) => `Version ${name} no longer has it.`,
    package: (name: string) => `Package ${name} no longer has it; its versions keep their own files.`,
    tags: (tags: readonly string[]) =>
      `${listed(tags)} ${tags.length === 1 ? 'points' : 'point'} at this version: devices that follow ${tags.length === 1 ? 'it' : 'them'} do not get the file any more.`,
    others: (n: number) =>
      `${count(n, 'other file has', 'other files have')} the same bytes and ${n === 1 ? 'stays' : 'stay'}.`,
    last: 'No other file has the same bytes: they are deleted after a day.',
    locked: (tag: string) => `The locked tag ${tag} points at this version: its files stay as they are.`,
    done: (filename: string) => `${filename} was removed`,
  },
});
