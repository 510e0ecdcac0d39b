/** An error that ends an upload, with a sentence for people; an immediate retry would not help. */
export class UploadProblem extends Error {
  override readonly name = 'UploadProblem';
}
