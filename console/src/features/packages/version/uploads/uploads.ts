import type { Id } from '@corral/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { actionMutation, runOf } from '../../../../data/action-mutation.ts';
import { assetQuery } from '../../../../parts/asset/queries.ts';
import { versionQuery } from '../../queries.ts';
import { hashFile } from './hash-file.ts';
import { waitForLine } from './persist.ts';
import { uploadTransport } from './send-part.ts';
import { rememberUnfinished, unfinishedUploads } from './unfinished.ts';
import type { UploadCalls } from './upload-file.ts';
import { type UploadItem, UploadQueue } from './UploadQueue.ts';

const createAsset = actionMutation('repositories_CreateAsset', 'repositories_AssetCreated');
const issueUploadUrl = actionMutation('repositories_IssueAssetUploadUrl', 'assets');
const addVersionFile = actionMutation('repositories_AddPackageVersionAsset', 'repositories_FileAdded');

function callsOf(client: QueryClient): UploadCalls {
  const run = runOf(client);
  const fresh = { staleTime: 0 };
  return {
    create: (input) => run(createAsset, input),
    details: (assetId) => client.fetchQuery({ ...assetQuery(assetId), ...fresh }),
    issueUrl: (assetId) => run(issueUploadUrl, { assetId }),
    add: (input) => run(addVersionFile, input),
    filesOf: async (versionId) => (await client.fetchQuery({ ...versionQuery(versionId), ...fresh })).assets,
  };
}

const queues = new WeakMap<QueryClient, Map<string, UploadQueue>>();

/** The uploads to a version in this tab. They outlive the page that shows them. */
function queueOf(client: QueryClient, versionId: Id<'packageVersion'>): UploadQueue {
  const ofClient = queues.get(client) ?? new Map<string, UploadQueue>();
  queues.set(client, ofClient);
  const known = ofClient.get(versionId);
  if (known !== undefined) return known;
  const persistence = {
    wait: waitForLine,
    isOffline: () => !navigator.onLine,
    nowMs: () => performance.now(),
    random: Math.random,
  };
  const parts = { calls: callsOf(client), hashFile, transport: uploadTransport, persistence };
  const queue: UploadQueue = new UploadQueue(parts, (filenames) => {
    rememberUnfinished(versionId, filenames);
    warnBeforeLeaving(queue);
  });
  ofClient.set(versionId, queue);
  return queue;
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

/** The uploads to a version, as a page shows them. */
export interface Uploads {
  readonly queue: UploadQueue;
  readonly items: readonly UploadItem[];
  /** Files of an earlier page that were not completely uploaded, and are not being uploaded now. */
  readonly unfinished: readonly string[];
  readonly forget: () => void;
}

/** The uploads to a version, and those that an earlier page left unfinished. */
export function useUploads(versionId: Id<'packageVersion'>): Uploads {
  const queue = queueOf(useQueryClient(), versionId);
  const items = useSyncExternalStore(queue.subscribe, queue.items);
  // While this tab uploads, what is remembered is its own.
  const [earlier, setEarlier] = useState(() => (queue.isActive ? [] : unfinishedUploads(versionId)));
  return {
    queue,
    items,
    unfinished: earlier.filter((name) => !items.some(({ filename }) => filename === name)),
    forget: () => {
      setEarlier([]);
      if (!queue.isActive) rememberUnfinished(versionId, []);
    },
  };
}
