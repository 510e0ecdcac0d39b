/** An e-mail address that wraps behind its @ and its dots first, and inside a word only where that is not enough. */
export function EmailText({ email }: { email: string }) {
  const parts = email.split(/(?<=[@.])/u);
  return (
    <span className="wrap-anywhere">
      {parts.flatMap((part, at) => (at === 0 ? [part] : [<wbr key={at} />, part]))}
    </span>
  );
}
