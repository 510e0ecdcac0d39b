import { isStored } from '@corral/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { actionMutation, runOf } from '../../../../data/action-mutation.ts';
import { assetQuery } from '../../../../parts/asset/queries.ts';
import { packageQuery, versionQuery } from '../../queries.ts';
import { hashFile } from './hash-file.ts';
import { waitUntilOnline } from './wait-until-online.ts';
import { uploadTransport } from './send-part.ts';
import {
  forgetUnfinished,
  isUnfinishedUpload,
  onForgottenElsewhere,
  rememberUnfinished,
  unfinishedUploads,
} from './unfinished.ts';
import type { FileOwner, OwnedFile, UploadCalls } from './upload-file.ts';
import { type UploadItem, UploadQueue } from './UploadQueue.ts';

const createAsset = actionMutation('repositories_CreateAsset', 'repositories_AssetCreated');
const issueUploadUrl = actionMutation('repositories_IssueAssetUploadUrl', 'assets');
const addVersionFile = actionMutation('repositories_AddPackageVersionAsset', 'repositories_FileAdded');
const addPackageFile = actionMutation('repositories_AddPackageAsset', 'repositories_FileAdded');

function callsOf(client: QueryClient): UploadCalls {
  const run = runOf(client);
  const fresh = { staleTime: 0 };
  return {
    create: (input) => run(createAsset, input),
    details: (assetId) => client.fetchQuery({ ...assetQuery(assetId), ...fresh }),
    issueUrl: (assetId) => run(issueUploadUrl, { assetId }),
    add: (owner, file) =>
      owner.kind === 'version'
        ? run(addVersionFile, { versionId: owner.id, ...file })
        : run(addPackageFile, { packageId: owner.id, ...file }),
    async filesOf(owner): Promise<readonly OwnedFile[]> {
      const { assets } =
        owner.kind === 'version'
          ? await client.fetchQuery({ ...versionQuery(owner.id), ...fresh })
          : await client.fetchQuery({ ...packageQuery(owner.id), ...fresh });
      return assets;
    },
  };
}

const queues = new WeakMap<QueryClient, Map<string, UploadQueue>>();

/** The uploads to a version or package in this tab. They outlive the page that shows them. */
export function uploadQueueOf(client: QueryClient, ownerId: string): UploadQueue {
  const ofClient = queues.get(client) ?? newQueues(client);
  const known = ofClient.get(ownerId);
  if (known !== undefined) return known;
  const retries = {
    wait: waitUntilOnline,
    isOffline: () => !navigator.onLine,
    nowMs: () => performance.now(),
    random: Math.random,
  };
  const parts = { calls: callsOf(client), hashFile, transport: uploadTransport, retries };
  const queue = new UploadQueue(parts, {
    remember: (filenames) => rememberUnfinished(ownerId, filenames),
    forget: (filenames) => forgetUnfinished(ownerId, filenames),
  });
  queue.subscribe(() => warnBeforeLeaving(queue));
  ofClient.set(ownerId, queue);
  return queue;
}

/** Ends the uploads to a version or package that is deleted. */
export function cancelUploads(client: QueryClient, ownerId: string): void {
  const queue = uploadQueueOf(client, ownerId);
  for (const { id } of queue.items()) queue.remove(id);
  forgetUnfinished(ownerId, unfinishedUploads(ownerId));
}

/** The queues of a tab by version or package, none yet. */
function newQueues(client: QueryClient): Map<string, UploadQueue> {
  const ofClient = new Map<string, UploadQueue>();
  queues.set(client, ofClient);
  onForgottenElsewhere((ownerId, filename) => ofClient.get(ownerId)?.rememberAgain(filename));
  return ofClient;
}

const active = new Set<UploadQueue>();

/** Closing the page would end the uploads: the browser asks first. */
function warnBeforeLeaving(queue: UploadQueue): void {
  if (queue.isActive) active.add(queue);
  else active.delete(queue);
  if (active.size > 0) window.addEventListener('beforeunload', preventUnload);
  else window.removeEventListener('beforeunload', preventUnload);
}

const preventUnload = (event: BeforeUnloadEvent): void => event.preventDefault();

/** The uploads to a version or package, as a page shows them. */
export interface Uploads {
  readonly queue: UploadQueue;
  readonly items: readonly UploadItem[];
  /** Files of an earlier page that were not completely uploaded, and are not being uploaded now. */
  readonly unfinished: readonly string[];
  readonly forget: () => void;
}

/** The uploads to a version or package, and those that an earlier page left unfinished; `files` are those that the version or package has. */
export function useUploads({ id }: FileOwner, files: readonly OwnedFile[]): Uploads {
  const queue = uploadQueueOf(useQueryClient(), id);
  const items = useSyncExternalStore(queue.subscribe, queue.items);
  const shown = namesOf(items);
  const [earlier, setEarlier] = useState(() => unfinishedUploads(id).filter((name) => !shown.has(name)));
  // The page may have been closed after the hub had added a file and before its answer came.
  const stored = namesOf(files.filter(isStored));
  useEffect(() =>
    forgetUnfinished(
      id,
      earlier.filter((name) => stored.has(name)),
    ),
  );
  const unfinished = earlier.filter(
    (name) => !shown.has(name) && !stored.has(name) && isUnfinishedUpload(id, name),
  );
  return {
    queue,
    items,
    unfinished,
    forget: () => {
      setEarlier([]);
      forgetUnfinished(id, unfinished);
    },
  };
}

const namesOf = (files: readonly { readonly filename: string }[]): ReadonlySet<string> =>
  new Set(files.map(({ filename }) => filename));
