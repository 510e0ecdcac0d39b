import { type DeviceCommand, type Id, isFileCommand } from '@corral/contract';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { projectDevicesQuery } from '../../../data/queries-projects.ts';
import { deviceCommandsQuery } from '../../../parts/operation/operations.ts';
import { useDebounced } from '../../../parts/use-debounced.ts';
import type { DraftOperation, OfferedForms } from './draft-operation.ts';

const askedDevices = 5;

/** The commands that the first devices of those that are meant offer, by name, and how many devices were asked. */
export function useOfferedCommands(
  projectId: Id<'project'>,
  { kind, filter, deviceIds }: DraftOperation,
): OfferedForms & { commands: readonly DeviceCommand[]; asked: number; isRead: boolean } {
  const query = useDebounced(filter.trim(), 300);
  const { data, isLoading } = useQuery({
    ...projectDevicesQuery(projectId, {
      limit: askedDevices,
      ...(query === '' || query === 'all' ? {} : { filter: query }),
    }),
    retry: false,
    enabled: kind === 'steps' && deviceIds === undefined,
  });
  const ids = (deviceIds ?? data?.devices.map(({ deviceId }) => deviceId) ?? []).slice(0, askedDevices);
  const answers = useQueries({
    queries: ids.map((deviceId) => ({ ...deviceCommandsQuery(deviceId), enabled: kind === 'steps' })),
  });
  const isOld = deviceIds === undefined && (isLoading || query !== filter.trim());
  const isReading = kind === 'steps' && (isOld || answers.some((answer) => answer.isLoading));
  const manifests = answers.map((answer) => answer.data?.manifest.commands);
  const key = JSON.stringify(manifests);
  const offered = useMemo(() => {
    const byName = new Map(
      manifests.flatMap((commands = []) =>
        commands.flatMap((command) =>
          isFileCommand(command.name) ? [] : [[command.name, command] as const],
        ),
      ),
    );
    return {
      commands: [...byName.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1)),
      schemas: new Map([...byName].map(([name, { input }]) => [name, input])),
      asked: ids.length,
      isRead: ids.length > 0 && manifests.every((commands) => commands !== undefined),
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the answers as a text
  }, [key, ids.length]);
  return { ...offered, isReading };
}
