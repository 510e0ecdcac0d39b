import type { Id, Output } from '@corral/contract';
import { actionMutation } from '../../../data/action-mutation.ts';
import { actionPageQuery, actionQuery } from '../../../data/action-query.ts';
import { everyMinute } from '../../../data/intervals.ts';
import { rowsPerPage } from '../../../parts/list-limits.ts';
import type { RotationSearch } from './rotation-search.ts';

/** The rotation of the certificate of a device. */
export type Rotation = Output<'devices_QueryCertificateRotations'>['rotations'][number];

/** A page of the rotations of a project, newest first: of all, of those in one state, or of those that failed and were not tried again. */
export const rotationsQuery = (
  projectId: Id<'project'>,
  state: RotationSearch['state'],
  after: string | undefined,
) =>
  actionPageQuery(
    'devices_QueryCertificateRotations',
    {
      projectId,
      limit: rowsPerPage,
      ...(state === undefined ? {} : state === 'Unresolved' ? { isUnresolved: true } : { state }),
      ...(after === undefined ? {} : { after }),
    },
    everyMinute,
  );

/** The newest rotation of a device. */
export const newestRotationQuery = (deviceId: Id<'device'>) =>
  actionQuery('devices_QueryCertificateRotations', { deviceId, limit: 1 }, everyMinute);

export const cancelRotation = actionMutation(
  'devices_CancelCertificateRotation',
  'devices_CertificateRotationCancelled',
);
