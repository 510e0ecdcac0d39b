import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { projectInvitationsQuery, projectLogQuery, projectQuery } from '../../../data/queries-projects.ts';
import type { ListedDevice } from '../../../parts/listed-device.ts';
import type { nextStepsCopy } from './copy.ts';

/** A step, whether it is done, and where it is done. */
export interface Step {
  readonly name: keyof typeof nextStepsCopy.steps;
  readonly isDone: boolean;
  readonly link: ReactElement<{ className?: string; children?: ReactNode }>;
}

// The entry of the log when a port of a device is opened, in the browser or by the command line.
const openedPort = { filter: 'event:devices_HttpProxyTokenIssued', limit: 1 };

/** What is worth doing with the first devices of a project, told from what the console knows; undefined until all of it is known. */
export function useSteps(
  projectId: Id<'project'>,
  devices: readonly ListedDevice[],
  isEnabled: boolean,
): Step[] | undefined {
  const { data: project } = useQuery({ ...projectQuery(projectId), enabled: isEnabled });
  const { data: log } = useQuery({ ...projectLogQuery(projectId, openedPort), enabled: isEnabled });
  const isOwner = project?.isOwner === true;
  const { data: invited } = useQuery({
    ...projectInvitationsQuery(projectId),
    enabled: isEnabled && isOwner,
  });
  const [first] = devices;
  if (first === undefined || project === undefined || log === undefined) return undefined;
  if (isOwner && invited === undefined) return undefined;
  const toDevice = ({ deviceId }: ListedDevice) => (
    <Link to="/projects/$projectId/devices/$deviceId" params={{ projectId, deviceId }} search={{}} />
  );
  const invite: Step = {
    name: 'invite',
    isDone: (project.memberCount ?? 1) > 1 || (invited?.invitations.length ?? 0) > 0,
    link: <Link to="/projects/$projectId/members" params={{ projectId }} search={{}} hash="create" />,
  };
  return [
    { name: 'connect', isDone: true, link: toDevice(first) },
    {
      name: 'accept',
      isDone: devices.every(({ pendingCertificatesCount }) => pendingCertificatesCount === 0),
      link: <Link to="/projects/$projectId/devices" params={{ projectId }} search={{ certs: 'pending' }} />,
    },
    {
      name: 'name',
      isDone: devices.some(({ name }) => name !== undefined),
      link: toDevice(first),
    },
    {
      name: 'open',
      isDone: log.events.length > 0,
      link: toDevice(devices.find(({ isConnected }) => isConnected) ?? first),
    },
    ...(isOwner ? [invite] : []),
    {
      name: 'publish',
      isDone: (project.repositoryCount ?? 0) > 0,
      link: <Link to="/projects/$projectId/repositories" params={{ projectId }} search={{}} />,
    },
  ];
}
