import { catalogue } from '../../../../copy/catalogue.ts';

/** To what files can be added. */
export type OwnerKind = 'version' | 'package';

/** The texts of uploads in the browser. */
export const uploadsCopy = catalogue('uploads', {
  upload: 'Upload Files',
  drop: 'Drop files to upload them',
  title: 'Uploads',
  waiting: 'Waiting',
  hashing: 'Computing the digest',
  sending: (done: string, total: string) => `${done} of ${total}`,
  adding: (owner: OwnerKind) => `Adding it to the ${owner}`,
  added: 'Added',
  addedKnown: 'Added; the repository had these bytes already',
  present: (owner: OwnerKind) => `This ${owner} has the same file already`,
  repaired: 'Repaired: the stored bytes were missing or damaged',
  paused: (reason: string) => `${reason} It continues automatically.`,
  offline: 'No connection.',
  unreachable: 'The hub cannot be reached.',
  status: (status: number) => `The hub answered with status ${status}.`,
  busy: 'The hub is busy with the same file.',
  cancelOf: (filename: string) => `Cancel the upload of ${filename}`,
  retry: 'Try Again',
  retryOf: (filename: string) => `Try Again to upload ${filename}`,
  dismissOf: (filename: string) => `Remove ${filename} from this list`,
  progressOf: (filename: string) => `Upload of ${filename}`,
  nameTaken: (owner: OwnerKind) =>
    `This ${owner} has another file of this name. Rename yours, or remove the other one first.`,
  duplicate: 'A file of this name is being uploaded already.',
  leftOut: (count: number, owner: OwnerKind) =>
    `${count === 1 ? 'One file was' : `${count} files were`} left out: a ${owner} has at most 1,000 files.`,
  unreadable: 'The file has changed or can no longer be read. Choose it again.',
  damaged: 'The bytes that arrived differ from those of the file. Try again.',
  noWorker: 'This browser cannot compute the digest of the file.',
  resume: 'Try again to resume.',
  unfinished: (names: string, more: number) =>
    `Not completely uploaded: ${names}${more > 0 ? ` and ${more} more` : ''}. Choose the same file again to go on.`,
  forget: 'Dismiss',
});
