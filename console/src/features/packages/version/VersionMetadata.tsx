import type { Json } from '@corral/contract';
import { Card } from '../../../ui/layout/Card.tsx';
import { Properties } from '../../../ui/layout/Properties.tsx';
import { JsonView } from '../../../ui/text/JsonView.tsx';
import { packagesCopy } from '../copy.ts';

const words = packagesCopy.version;

/** The metadata of a version by key; objects as formatted JSON. */
export function VersionMetadata({ metadata }: { metadata: Readonly<Record<string, Json>> }) {
  const entries = Object.entries(metadata).sort(([one], [other]) => (one < other ? -1 : 1));
  return (
    <Card isFlush title={words.metadata}>
      {entries.length === 0 ? (
        <p className="px-4.5 py-3.5 text-body text-ink3">{words.noMetadata}</p>
      ) : (
        <Properties
          items={entries.map(([key, value]) => ({
            key,
            name: <span dir="ltr">{key}</span>,
            value: <JsonView value={value} />,
          }))}
        />
      )}
    </Card>
  );
}
