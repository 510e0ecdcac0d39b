import { nonEmpty, object, pipe, string, trim } from 'valibot';
import { useRun } from '../../data/action-mutation.ts';
import { useAppForm } from '../../ui/form/app-form.tsx';
import { useFailure } from '../../ui/form/use-failure.ts';
import { Card } from '../../ui/layout/Card.tsx';
import { deviceLoginCopy as words } from './copy.ts';
import { findLogin, type LoginRequest } from './mutations.ts';

const schema = object({
  userCode: pipe(
    string(),
    trim(),
    nonEmpty(() => words.codeEmpty),
  ),
});

/** Asks for the code; what was typed stays when the hub does not know it. */
export function CodeForm({ onFound }: { onFound: (request: LoginRequest) => void }) {
  const [failure, attempt, forget] = useFailure();
  const run = useRun();
  const form = useAppForm({
    defaultValues: { userCode: '' },
    validators: { onMount: schema, onChange: schema },
    listeners: { onChange: forget },
    onSubmit: ({ value }) =>
      attempt(async () => {
        const found = await run(findLogin, value);
        if (found.result === 'Found') onFound(found);
        return found.result === 'Found' ? undefined : words.notFound;
      }),
  });
  return (
    <Card>
      <form.AppForm>
        <form.Frame failure={failure} submitLabel={words.next}>
          <form.AppField name="userCode">
            {(field) => (
              <field.Text
                label={words.code}
                description={words.codeHint}
                required
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                placeholder="BCDF-GHJK"
              />
            )}
          </form.AppField>
        </form.Frame>
      </form.AppForm>
    </Card>
  );
}
