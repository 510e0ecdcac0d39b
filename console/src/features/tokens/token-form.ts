import { nameProblem } from '@corral/contract';
import { check, object, pipe, string, trim } from 'valibot';
import { terms } from '../../copy/terms.ts';
import { problemCopy } from '../../copy/problems.ts';
import { follows } from '../../parts/follows.ts';
import { tokensCopy as words } from './copy.ts';

const dayMs = 86_400_000;
const forEver = '0';

/** The validation of the form of a new deployment token. */
export const deploymentTokenSchema = object({
  name: pipe(
    follows((typed) => nameProblem(typed, 'name'), problemCopy),
    trim(),
  ),
  days: string(),
  maxUses: pipe(
    string(),
    trim(),
    check(
      (typed) => /^([1-9]\d{0,6})?$/u.test(typed),
      () => words.invalidUses,
    ),
  ),
});

/** The fields of a new deployment token. */
export const deploymentTokenFields = () => ({
  name: { label: terms.name, hint: words.nameHint, required: true },
  days: {
    kind: 'select' as const,
    label: words.goodFor,
    hint: words.goodForHint,
    options: [forEver, '1', '7', '30', '90'].map((days) => ({
      value: days,
      label: words.days(Number(days)),
    })),
    initial: forEver,
  },
  maxUses: { label: words.maxUses, inputMode: 'numeric' as const, placeholder: words.anyNumber },
});

/** When a new token stops enrolling devices, as its action takes it. */
export function endsOf({ days, maxUses }: { days: string; maxUses: string }) {
  return {
    ...(days === forEver ? {} : { expiresAt: new Date(Date.now() + Number(days) * dayMs).toISOString() }),
    ...(maxUses === '' ? {} : { maxUses: Number(maxUses) }),
  };
}
