import type { Id } from '@corral/contract';
import { useRun } from '../../data/action-mutation.ts';
import { FieldsDialog } from '../../ui/form/FieldsDialog.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { otlpCopy as words } from './copy.ts';
import { exportFields, exportSchema } from './export-form.ts';
import { type OtlpConfig, setOtlpConfig } from './otlp.ts';

/** Sets where a project exports to and what, and starts it. */
export function ExportDialog({
  projectId,
  config,
  open,
  onOpenChange,
}: {
  projectId: Id<'project'>;
  config: OtlpConfig;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const run = useRun();
  return (
    <FieldsDialog
      {...{ open, onOpenChange }}
      title={config.endpoint === undefined ? words.set : words.edit}
      submitLabel={words.save}
      fields={exportFields(config)}
      schema={exportSchema(config)}
      onSubmit={async (change) => {
        await run(setOtlpConfig, { projectId, config: change });
        showToast(words.saved, { tone: 'ok' });
      }}
    />
  );
}
