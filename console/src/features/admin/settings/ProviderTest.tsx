import { useQueryClient } from '@tanstack/react-query';
import { hubOf } from '../../../data/hub.ts';
import { withStepUp } from '../../../data/step-up.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { confirm } from '../../../parts/confirm.ts';
import { problemOf } from '../../../parts/provider/copy.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { useFailure } from '../../../ui/form/use-failure.ts';
import { Notice } from '../../../ui/layout/Notice.tsx';
import { CopyButton } from '../../../ui/text/CopyButton.tsx';
import { AbsoluteTime } from '../../../ui/time/AbsoluteTime.tsx';
import { settingsCopy } from './copy.ts';
import { providerQuery, type SettingDetails } from './settings.ts';

const words = settingsCopy.provider;

const needed = ['oidcIssuer', 'oidcClientId', 'oidcClientSecret'];

/** What to enter at the provider, and a sign-in there that proves the settings. */
export function ProviderTest({
  settings,
  answer,
}: {
  settings: readonly SettingDetails[];
  answer: string | undefined;
}) {
  const { callbackUrl, logoutUrl, testedAt } = useLoadedQuery(providerQuery()).data;
  const queryClient = useQueryClient();
  const problem = answer === 'tested' ? undefined : problemOf(answer);
  const [failure = problem, attempt] = useFailure();
  const isSet = needed.every((key) => settings.some((one) => one.key === key && one.value !== null));
  const test = async (): Promise<void> =>
    window.location.assign(await withStepUp(() => hubOf(queryClient).beginProviderTest()));
  return (
    <>
      {isSet && (
        <Button isWrite onClick={() => attempt(test)}>
          {words.test}
        </Button>
      )}
      <div role="status" className="flex basis-full flex-col gap-4">
        {failure !== undefined && (
          <Notice tone="danger" title={words.failed}>
            {failure}
          </Notice>
        )}
        {isSet &&
          (testedAt === undefined ? (
            <Notice tone="warn" title={words.untested}>
              {words.untestedText}
            </Notice>
          ) : (
            <Notice title={words.tested}>
              <AbsoluteTime at={testedAt} />
            </Notice>
          ))}
        <p className="text-body text-ink2">{words.copyHint}</p>
        <Address name={words.callback} url={callbackUrl} />
        <Address name={words.logout} url={logoutUrl} />
      </div>
    </>
  );
}

function Address({ name, url }: { name: string; url: string }) {
  return (
    <div className="text-body">
      <p className="text-ink3">{name}</p>
      <p className="flex items-center gap-2 wrap-anywhere">
        <code>{url}</code>
        <CopyButton text={url} what={name} />
      </p>
    </div>
  );
}

/** Asks before the issuer is changed under people who are linked there. */
export function useMayChangeProvider() {
  const { linkedCount, linked } = useLoadedQuery(providerQuery()).data;
  return async (changed: readonly SettingDetails[]): Promise<boolean> => {
    if (linkedCount === 0 || !changed.some(({ key }) => key === 'oidcIssuer')) return true;
    const more = linkedCount - linked.length;
    return confirm({
      title: words.changeTitle,
      text: (
        <>
          <p>{words.changeText(linkedCount)}</p>
          <p className="mt-2">
            {linked.join(', ')} {more > 0 && words.andMore(more)}
          </p>
        </>
      ),
      verb: words.change,
      action: () => undefined,
    });
  };
}
