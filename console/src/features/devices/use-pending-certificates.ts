import type { Id, Output } from '@corral/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { moreRows, rowsPerPage } from '../../parts/paged-rows.ts';
import { messageOf } from '../../ui/form/message-of.ts';
import { pendingCertificatesQuery } from './queries.ts';

/** A certificate that waits for a decision, with the names of its device. */
export type PendingCertificate = Output<'projects_QueryPendingCertificates'>['certificates'][number];

/** The first pending certificates of a project, or of some of its devices, and more on request. */
export function usePendingCertificates(projectId: Id<'project'>, deviceIds?: readonly Id<'device'>[]) {
  const [limit, setLimit] = useState(rowsPerPage);
  const { data, error, isPending, isPlaceholderData } = useQuery({
    ...pendingCertificatesQuery(projectId, limit, deviceIds),
    placeholderData: keepPreviousData,
  });
  const certificates = data?.certificates ?? [];
  const failure = error === null ? undefined : messageOf(error);
  const more = moreRows({
    shown: certificates.length,
    limit,
    isLoading: isPlaceholderData,
    failure,
    onRequest: setLimit,
  });
  const isLong = certificates.length >= rowsPerPage;
  return {
    certificates,
    isLoading: isPending,
    failure: isLong ? undefined : failure,
    more: isLong ? more : undefined,
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
