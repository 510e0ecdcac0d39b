import { Pencil, Plus } from 'lucide-react';
import { deviceCopy } from './copy.ts';
import { useRun } from '../../../data/action-mutation.ts';
import { ErrorBoundary } from '../../../parts/ErrorBoundary.tsx';
import { useDialogTarget } from '../../../parts/use-dialog-target.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Properties } from '../../../ui/layout/Properties.tsx';
import { JsonView } from '../../../ui/text/JsonView.tsx';
import { setMetadata } from '../mutations.ts';
import { EditValueDialog, type EditedValue, typedValue } from './EditValueDialog.tsx';
import type { DeviceCardProps } from './device-details.ts';

const words = deviceCopy.metadata;

/** The metadata of a device by key, objects as formatted JSON; each can be edited. */
export function MetadataCard({ deviceId, details, error, onRetry }: DeviceCardProps) {
  const run = useRun();
  const editing = useDialogTarget<EditedValue>();
  const metadata = details?.metadata ?? {};
  const entries = Object.entries(metadata).sort(([one], [other]) => (one < other ? -1 : 1));
  function save(key: string, typed: string): Promise<unknown> {
    const { [key]: _former, ...others } = metadata;
    const value = typedValue(typed) as (typeof metadata)[string];
    return run(setMetadata, { deviceId, metadata: typed === '' ? others : { ...others, [key]: value } });
  }
  const edit = (name?: string): void =>
    editing.open({
      title: name === undefined ? words.add : words.edit(name),
      hint: words.hint,
      save,
      ...(name === undefined ? {} : { name, value: metadata[name] }),
    });
  return (
    <Card
      isFlush
      title={words.title}
      actions={
        details !== undefined && (
          <Button
            size="small"
            variant="quiet"
            isWrite
            label={words.add}
            icon={<Plus size={15} aria-hidden />}
            onClick={() => edit()}
          />
        )
      }
    >
      <ErrorBoundary isFlush error={error} onRetry={onRetry}>
        {entries.length === 0 ? (
          <p className="px-4.5 py-3.5 text-body text-ink3">
            {details === undefined ? words.loading : words.empty}
          </p>
        ) : (
          <Properties
            items={entries.map(([key, value]) => ({
              key,
              name: <span dir="ltr">{key}</span>,
              value: (
                <span className="flex items-start justify-between gap-2">
                  <span className="min-w-0">
                    <JsonView value={value} />
                  </span>
                  <Button
                    size="small"
                    variant="quiet"
                    isWrite
                    label={words.edit(key)}
                    icon={<Pencil size={14} aria-hidden />}
                    onClick={() => edit(key)}
                  />
                </span>
              ),
            }))}
          />
        )}
      </ErrorBoundary>
      <EditValueDialog dialog={editing} />
    </Card>
  );
}
