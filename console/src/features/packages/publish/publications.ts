import type { Id } from '@corral/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { runOf } from '../../../data/action-mutation.ts';
import { showToast } from '../../../ui/overlay/toast.ts';
import { tagVersion } from '../tags/mutations.ts';
import {
  forgetTags,
  type PendingTag,
  Publication,
  type PublicationState,
  rememberedTags,
} from './publication.ts';
import { publishCopy } from './copy.ts';

const publications = new WeakMap<QueryClient, Map<string, Publication>>();

/** What a version is called in the toast when its tags are set. */
interface Published {
  readonly versionId: Id<'packageVersion'>;
  readonly name: string;
}

/** Begins to publish a version: its tags are pending in this tab from now on, also while other pages are shown. */
export function newPublication(
  client: QueryClient,
  { versionId, name }: Published,
  tags: readonly PendingTag[],
): Publication {
  const run = runOf(client);
  const publication = new Publication(tags, {
    setTags: async () => {
      await run(tagVersion, { versionId, tags: [...tags] });
      showToast(
        publishCopy.done(
          tags.map(({ tag }) => tag),
          name,
        ),
        { tone: 'ok' },
      );
    },
    onEnd: () => {
      forgetTags(versionId);
      publications.get(client)?.delete(versionId);
    },
  });
  const ofClient = publications.get(client) ?? new Map<string, Publication>();
  publications.set(client, ofClient.set(versionId, publication));
  return publication;
}

/** Gives up the tags that a version lacks, because it is deleted. */
export function endPublication(client: QueryClient, versionId: Id<'packageVersion'>): void {
  publications.get(client)?.get(versionId)?.end();
  forgetTags(versionId);
}

/** The publication of a version that this tab began, or that this browser did not finish; undefined without one. */
export function usePublication(
  version: Published,
): { publication: Publication; state: PublicationState } | undefined {
  const client = useQueryClient();
  const publication =
    publications.get(client)?.get(version.versionId) ?? rememberedPublication(client, version);
  const state = useSyncExternalStore(publication?.subscribe ?? never, publication?.state ?? nothing);
  return publication === undefined || state === undefined || state.step === 'Ended'
    ? undefined
    : { publication, state };
}

const never = () => () => {};
const nothing = () => undefined;

function rememberedPublication(client: QueryClient, version: Published): Publication | undefined {
  const tags = rememberedTags(version.versionId);
  return tags.length === 0 ? undefined : newPublication(client, version, tags);
}
