import { certificateDays, foreignCertificateDays, type Id } from '@corral/contract';
import { boolean, check, object, pipe, string } from 'valibot';
import { useRun } from '../../../data/action-mutation.ts';
import type { CertificatePolicy } from '../../../parts/certificate-policy.ts';
import { FieldsDialog } from '../../../ui/form/FieldsDialog.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';
import { certificatesCopy } from './copy.ts';
import { setCertificatePolicy } from './mutations.ts';

const words = certificatesCopy.policy;

/** Says which certificates the devices of a project need; the numbers say what that changes. */
export function CertificateRulesDialog({
  projectId,
  policy: { isDemanded, validForDays, devicesWithIssued, devicesWithout },
  ...dialog
}: {
  projectId: Id<'project'>;
  policy: CertificatePolicy;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const run = useRun();
  return (
    <FieldsDialog
      {...dialog}
      title={words.title}
      description={words.preview(devicesWithIssued, devicesWithout)}
      submitLabel={words.verb}
      fields={{
        isDemanded: { kind: 'checkbox', label: words.isDemanded, initial: isDemanded },
        foreignDays: {
          label: words.foreignDays,
          hint: isDemanded ? words.foreignHintAgain : words.foreignHint,
          inputMode: 'numeric',
          initial: isDemanded ? '' : String(foreignCertificateDays.default),
        },
        validForDays: {
          label: words.validForDays,
          hint: words.validForDaysHint,
          inputMode: 'numeric',
          initial: String(validForDays),
        },
      }}
      schema={object({
        isDemanded: boolean(),
        foreignDays: pipe(
          string(),
          check(
            (typed) => typed.trim() === '' || isWithin(typed, 0, foreignCertificateDays.max),
            words.foreignWrong,
          ),
        ),
        validForDays: pipe(
          string(),
          check((typed) => isWithin(typed, certificateDays.min, certificateDays.max), words.validWrong),
        ),
      })}
      onSubmit={async (given) => {
        const foreignDays = given.foreignDays.trim();
        await run(setCertificatePolicy, {
          projectId,
          isDemanded: given.isDemanded,
          validForDays: Number(given.validForDays),
          ...(given.isDemanded && foreignDays !== '' ? { foreignDays: Number(foreignDays) } : {}),
        });
        showToast(words.changed, { tone: 'ok' });
      }}
    />
  );
}

const isWithin = (typed: string, min: number, max: number): boolean =>
  /^\d{1,3}$/u.test(typed.trim()) && Number(typed) >= min && Number(typed) <= max;
