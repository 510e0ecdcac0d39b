import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { storedBytesQuery } from '../../data/queries-repositories.ts';
import { formatSize } from '../../ui/text/format-size.ts';
import { repositorySettingsCopy } from './copy.ts';
import { LineWithText } from './LineWithText.tsx';

const words = repositorySettingsCopy.usage;
const daySecs = 86_400;

/** How much of a repository the hub served within 30 days, or since it counts. */
export function ServedBytes({ repositoryId }: { repositoryId: Id<'repository'> }) {
  const { data } = useQuery(storedBytesQuery(repositoryId));
  if (data === undefined) return null;
  const { servedBytes, stepSeconds } = data;
  const first = servedBytes.findIndex((bytes) => bytes !== null);
  if (first === -1) return words.notCounted;
  const values = servedBytes.filter((bytes) => bytes !== null);
  const sum = values.reduce((total, bytes) => total + bytes, 0);
  const days = ((servedBytes.length - first) * stepSeconds) / daySecs;
  const text = words.servedIn(sum === 0 ? undefined : formatSize(sum), days);
  return <LineWithText values={sum === 0 ? [] : values} text={text} />;
}
