/** The number 0 where others of its kind are counted: a faint dash, which screen readers and copies of the text have as 0. */
export function Zero() {
  return (
    <span className="zero">
      <span className="sr-only">0</span>
    </span>
  );
}
