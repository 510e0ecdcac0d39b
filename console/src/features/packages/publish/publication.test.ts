import type { Id } from '@corral/contract';
import { expect, test, vi } from 'vitest';
import type { UploadItem, UploadQueue } from '../files/uploads/UploadQueue.ts';
import { forgetTags, type PendingTag, Publication, rememberedTags, rememberTags } from './publication.ts';

const tags: readonly PendingTag[] = [{ tag: 'latest', locked: false, reassign: true }];

/** A queue whose uploads the test moves. */
function fakeQueue() {
  const listeners = new Set<() => void>();
  let items: readonly UploadItem[] = [];
  const queue = {
    items: () => items,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  } as UploadQueue;
  const show = (states: Readonly<Record<string, UploadItem['state']>>): void => {
    items = Object.entries(states).map(([filename, state], id) => ({ id, filename, sizeBytes: 1, state }));
    for (const listener of listeners) listener();
  };
  return { queue, show };
}

const done = { step: 'Done', outcome: 'added' } as const;
const waiting = { step: 'Waiting' } as const;
const failed = { step: 'Failed', message: 'The quota is reached.' } as const;

function begin(setTags = vi.fn(() => Promise.resolve({}))) {
  const onEnd = vi.fn();
  const publication = new Publication(tags, { setTags, onEnd });
  const { queue, show } = fakeQueue();
  show({ 'a.img': waiting, 'b.txt': waiting });
  publication.awaitFiles(queue, ['a.img', 'b.txt']);
  return { publication, setTags, onEnd, show };
}

test('the tags are set once, when all files are complete, also if one that is complete was dismissed before', async () => {
  const { publication, setTags, onEnd, show } = begin();
  show({ 'a.img': done, 'b.txt': waiting });
  show({ 'b.txt': waiting });
  expect(setTags).not.toHaveBeenCalled();
  show({ 'b.txt': done });
  show({});
  await vi.waitFor(() => expect(publication.state()).toEqual({ step: 'Ended' }));
  expect(setTags).toHaveBeenCalledExactlyOnceWith(tags);
  expect(onEnd).toHaveBeenCalledOnce();
});

test('a failed upload keeps the tags waiting until it is complete', async () => {
  const { publication, setTags, show } = begin();
  show({ 'a.img': failed, 'b.txt': done });
  expect(publication.state()).toEqual({ step: 'Waiting', byItself: true });
  expect(setTags).not.toHaveBeenCalled();
  show({ 'a.img': done, 'b.txt': done });
  await vi.waitFor(() => expect(setTags).toHaveBeenCalledOnce());
});

test('after a file was left out nothing sets the tags but the user', async () => {
  const { publication, setTags, show } = begin();
  show({ 'b.txt': waiting });
  show({ 'b.txt': done });
  expect(publication.state()).toEqual({ step: 'Waiting', byItself: false });
  expect(setTags).not.toHaveBeenCalled();
  await publication.setTags();
  expect(setTags).toHaveBeenCalledOnce();
});

test('a refusal says why and can be tried again; a publication that was given up stays so', async () => {
  const setTags = vi.fn(() => Promise.reject(new Error('The tag latest is locked.')));
  const { publication, onEnd } = begin(setTags);
  await publication.setTags();
  expect(publication.state()).toEqual({ step: 'Failed', message: 'The tag latest is locked.' });
  expect(onEnd).not.toHaveBeenCalled();
  const again = publication.setTags();
  publication.end();
  await again;
  expect(publication.state()).toEqual({ step: 'Ended' });
});

test('tags of at most a hundred versions are remembered, of the last one always', () => {
  const versionIds = Array.from({ length: 120 }, (_, index) => `pv_${index}` as Id<'packageVersion'>);
  for (const versionId of versionIds) rememberTags(versionId, tags);
  expect(versionIds.filter((versionId) => rememberedTags(versionId).length > 0)).toHaveLength(100);
  expect(rememberedTags('pv_119' as Id<'packageVersion'>)).toEqual(tags);
  for (const versionId of versionIds) forgetTags(versionId);
});
