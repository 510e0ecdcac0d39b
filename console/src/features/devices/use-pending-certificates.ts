import type { Id, Output } from '@corral/contract';
import { useCallback, useState } from 'react';
import { moreLiveRows } from '../../parts/more-live-rows.ts';
import { rowsPerPage } from '../../parts/list-limits.ts';
import { useLivePages } from '../../parts/use-live-pages.ts';
import { messageOf } from '../../ui/form/message-of.ts';
import { pendingCertificatesQuery } from './queries.ts';

/** A certificate that waits for a decision, with the names of its device. */
export type PendingCertificate = Output<'projects_QueryPendingCertificates'>['certificates'][number];

/** The first pending certificates of a project, or of some of its devices, and more on request. */
export function usePendingCertificates(projectId: Id<'project'>, deviceIds?: readonly Id<'device'>[]) {
  const pages = useLivePages({
    queryOf: (after) => pendingCertificatesQuery(projectId, { deviceIds, after }),
    rowsOf: ({ certificates }) => certificates,
    keyOf: ({ certificateId }) => certificateId,
    isEnabled: true,
    isForgotten: true,
  });
  const { rows, error } = pages;
  const certificates = rows ?? [];
  const isLong =
    certificates.length >= rowsPerPage || (certificates.length > 0 && pages.loadMore !== undefined);
  return {
    certificates,
    isLoading: rows === undefined && error === null,
    // The end of a long list says why a page could not be read.
    failure: isLong || error === null ? undefined : messageOf(error),
    more: isLong ? moreLiveRows(pages, certificates.length) : undefined,
  };
}

/** Which certificates are selected, by their ids. The functions keep their identity. */
export function useSelectedCertificates() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(
    (id: string) =>
      setSelected((before) => (before.has(id) ? without(before, [id]) : new Set([...before, id]))),
    [],
  );
  const select = useCallback(
    (some: readonly PendingCertificate[]) => setSelected((before) => new Set([...before, ...idsOf(some)])),
    [],
  );
  const deselect = useCallback(
    (some: readonly PendingCertificate[]) => setSelected((before) => without(before, idsOf(some))),
    [],
  );
  return { selected, toggle, select, deselect };
}

function idsOf(certificates: readonly PendingCertificate[]): string[] {
  return certificates.map(({ certificateId }) => certificateId);
}

function without(ids: ReadonlySet<string>, some: readonly string[]): ReadonlySet<string> {
  const removed = new Set(some);
  return new Set([...ids].filter((id) => !removed.has(id)));
}
