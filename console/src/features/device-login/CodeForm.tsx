import { useState } from 'react';
import { nonEmpty, object, pipe, string, trim } from 'valibot';
import { terms } from '../../copy/terms.ts';
import { useRun } from '../../data/action-mutation.ts';
import { Button } from '../../ui/action/Button.tsx';
import { useAppForm } from '../../ui/form/app-form.tsx';
import { messageOf } from '../../ui/form/message-of.ts';
import { Card } from '../../ui/layout/Card.tsx';
import { Notice } from '../../ui/layout/Notice.tsx';
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
  const [failure, setFailure] = useState<string>();
  const run = useRun();
  const form = useAppForm({
    defaultValues: { userCode: '' },
    validators: { onMount: schema, onChange: schema },
    onSubmit: async ({ value }) => {
      setFailure(undefined);
      try {
        const found = await run(findLogin, value);
        if (found.result === 'Found') onFound(found);
        else setFailure(words.notFound);
      } catch (error) {
        setFailure(messageOf(error));
      }
    },
  });
  return (
    <Card>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void form.handleSubmit();
        }}
      >
        {failure !== undefined && (
          <Notice tone="danger" title={terms.errorTitle}>
            {failure}
          </Notice>
        )}
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
        <form.Subscribe selector={({ canSubmit, isSubmitting }) => ({ canSubmit, isSubmitting })}>
          {({ canSubmit, isSubmitting }) => (
            <div>
              <Button
                type="submit"
                variant="primary"
                disabled={!canSubmit && !isSubmitting}
                loading={isSubmitting}
              >
                {words.next}
              </Button>
            </div>
          )}
        </form.Subscribe>
      </form>
    </Card>
  );
}
