import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { deviceCopy } from './copy.ts';
import { devicePropertiesQuery } from '../queries.ts';
import { CommandsCard } from '../../../parts/CommandsCard.tsx';
import { deviceCommands } from './device-commands.ts';

const words = deviceCopy.cli;
const defaultProperty = 'dev.nexigon.system.info';

/** The commands for this device, in a collapsible card. */
export function CliCard({ deviceId }: { deviceId: Id<'device'> }) {
  const { data } = useQuery(devicePropertiesQuery(deviceId));
  // An existing property of the device, if any.
  const [propertyName = defaultProperty] = Object.keys(data?.properties ?? {});
  return <CommandsCard hint={words.hint} commands={deviceCommands(deviceId, propertyName)} />;
}
