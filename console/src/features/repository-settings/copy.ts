import { catalogue } from '../../copy/catalogue.ts';
import { count } from '../../copy/count.ts';

const listed = (parts: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(parts);

/** A time without false precision: days up to two weeks, weeks up to two months, then months. */
function roughTime(days: number): string {
  if (days < 14) return count(Math.max(1, Math.round(days)), 'day', 'days');
  if (days < 61) return count(Math.round(days / 7), 'week', 'weeks');
  return count(Math.round(days / 30.4), 'month', 'months');
}

const inDays = (days: number): string => (days < 2 ? 'in a day' : `in ${Math.round(days)} days`);

/** The texts of the settings of a repository. */
export const repositorySettingsCopy = catalogue('repositorySettings', {
  about: 'Repository',
  id: 'Repository Id',
  role: 'Your role',
  created: 'Created At',
  rename: {
    title: 'Name',
    verb: 'Rename Repository',
    text: 'Public addresses, manifests and commands find the repository by its name.',
    dialogTitle: (name: string) => `Rename “${name}”`,
    addresses: 'Public addresses with the current name stop working at once.',
    clients:
      'Manifests, scripts and devices that name it have to use the new name. Links to projects, members and download URLs that were issued stay.',
    oldName: (name: string) =>
      `The name “${name}” is kept for it for 30 days, and longer if a tag is locked: nobody else gets the old addresses meanwhile.`,
    renamed: (name: string) => `The repository is now called “${name}”`,
    failed: 'The repository was not renamed',
    ownerOnly: 'Only an owner of the repository may rename it.',
  },
  visibility: {
    title: 'Visibility',
    makePublic: 'Make Public',
    makePrivate: 'Make Private',
    isPublic: 'Anyone with the address can download its files, without signing in.',
    isPrivate: 'Only its members, and the members and devices of linked projects, can read it.',
    publicTitle: (name: string) => `Make “${name}” public`,
    publicText: (assets: number) =>
      assets === 0
        ? 'Anyone with the address will be able to download everything that is published to it, without signing in.'
        : `Anyone with the address will be able to download its ${count(assets, 'asset', 'assets')}, and everything that is published to it later, without signing in.`,
    privateTitle: (name: string) => `Make “${name}” private`,
    privateText: (staying: readonly string[], endingCount: number) =>
      [
        'Public addresses stop working at once.',
        staying.length > 0 && `Projects that an owner linked go on reading it: ${listed(staying)}.`,
        endingCount > 0 &&
          `The links of ${count(endingCount, 'other project', 'other projects')} end, and Undo does not bring them back; confirm a link below to keep it.`,
        'What was downloaded already stays with those who have it.',
      ]
        .filter((sentence) => sentence !== false)
        .join(' '),
    nowPublic: (name: string) => `“${name}” is public`,
    nowPrivate: (name: string) => `“${name}” is private`,
    failed: 'The visibility was not changed',
    address: 'Files are downloaded by repository, package, tag and filename:',
    addressWhat: 'public address',
    example: ['package', 'tag', 'filename'],
    ownerOnly: 'Only an owner of the repository may change its visibility.',
  },
  projects: {
    title: 'Linked projects',
    id: 'Project Id',
    filter: 'Filter linked projects',
    csvName: 'linked-projects',
    devices: 'Devices',
    unlink: 'Unlink',
    unlinkName: (name: string) => `Unlink project “${name}”`,
    unlinkText:
      'Its members and devices no longer find the repository, unless they may read it otherwise. What they downloaded already stays with them.',
    confirm: 'Confirm',
    confirmName: (name: string) => `Confirm the link of project “${name}”`,
    confirmed: (name: string) => `Project “${name}” stays linked when the repository becomes private`,
    notConfirmed: 'The link was not confirmed',
    unlinked: (name: string) => `Project “${name}” is no longer linked`,
    ownerOnly: 'Only an owner of the repository may unlink projects here.',
    emptyTitle: 'No linked projects',
    emptyText: 'Link the repository on the page of a project, and its members and devices can read it.',
  },
  usage: {
    title: 'Usage',
    packages: 'Packages',
    assets: 'Assets',
    bytes: 'Stored',
    served: 'Served',
    servedIn: (size: string | undefined, days: number) => `${size ?? 'nothing'} by the hub ${inDays(days)}`,
    notCounted: 'not counted yet',
    growth: (size: string | undefined, isMore: boolean, days: number) => {
      const time = inDays(days);
      if (size === undefined) return `no change ${time}`;
      return `${isMore ? 'grew' : 'shrank'} by ${size} ${time}`;
    },
    fullIn: (days: number) => `full in about ${roughTime(days)} if it goes on like this`,
    nearTitle: 'The quota is almost reached',
    fullTitle: 'The quota is reached',
    nearText:
      'When it is reached, uploads are refused until assets are deleted or an administrator raises it.',
    fullText: 'Uploads are refused until assets are deleted or an administrator raises it.',
    edit: 'Edit Quotas',
    editTitle: (name: string) => `Quotas of “${name}”`,
    editText: 'Uploads beyond a quota are refused. A quota below the current usage deletes nothing.',
    size: 'Size',
    sizeHint: 'For example 50 GiB. Leave it empty for no quota.',
    assetsHint: 'For example 10000. Leave it empty for no quota.',
    saved: (name: string) => `The quotas of “${name}” were saved`,
    failed: 'The quotas were not saved',
  },
  store: {
    title: 'Object store',
    loading: 'Loading object store...',
    kinds: {
      Disk: 'The hub keeps the bytes of new assets in its own data folder.',
      Instance: 'The bytes of new assets go to the S3-compatible store of this hub.',
      Own: 'The bytes of new assets go to the S3-compatible store of this repository.',
    },
    stays: 'Those of earlier assets stay where they are.',
    use: 'Use an S3 store',
    change: 'Change store',
    remove: 'Stop using it',
    removeTitle: (name: string) => `Stop using the store of “${name}”`,
    removeText:
      'The bytes of new assets go to the store of this hub again. Assets that were uploaded so far stay in this store and can still be downloaded.',
    removed: 'New assets go to the store of this hub',
    saved: 'The store was saved',
    text: 'The hub checks the store when you save, and says what it enforces.',
    endpoint: 'Endpoint',
    endpointHint: 'Where the hub reaches the store, such as https://s3.example.com.',
    publicEndpoint: 'Public endpoint',
    publicEndpointHint: 'Where browsers and devices reach it, if that is another address.',
    isForHubOnly: 'Only the hub reaches the store',
    isForHubOnlyHint:
      'Up- and downloads of browsers, build machines and devices then go through the hub, as a store in a private network needs.',
    noPublicEndpoint: 'Leave it empty, because only the hub reaches the store.',
    hubOnly: 'None, because only the hub reaches the store',
    bucket: 'Bucket',
    region: 'Region',
    prefix: 'Prefix',
    prefixHint: 'It precedes the name of each object.',
    forcePathStyle: 'The bucket is in the path of URLs, not in the host name',
    accessKeyId: 'Access key ID',
    secret: 'Secret access key',
    secretHint: 'It is stored encrypted and never shown again.',
    secretKept: 'Leave it empty to keep the current one.',
    findings: 'What the check of the store found',
    isFine: 'good',
    isNotFine: 'look at this',
    checked: 'checked',
    notChecked: 'It was not checked yet.',
  },
  danger: 'Danger Zone',
  deleteRepository: 'Delete Repository',
  deleteTitle: (name: string) => `Delete repository “${name}”`,
  text: 'This deletes the repository with everything in it and cannot be undone.',
  deletes: (parts: string) => `${parts} are deleted with it.`,
  deletesNothing: 'It is empty except for its log.',
  packages: (n: number) => count(n, 'package', 'packages'),
  assets: (n: number) => count(n, 'asset', 'assets'),
  and: listed,
  linked: (projects: string, devices: number) =>
    `${projects} ${devices === 0 ? 'lose' : `and ${count(devices, 'device', 'devices')} lose`} access to it.`,
  ownerOnly: 'Only an owner of the repository may delete it.',
  deleted: (name: string) => `Repository “${name}” was deleted`,
});
