/** The devices that a deployment token has enrolled are counted up to this number in lists; one more stands for any greater number. */
export const maxEnrolledCounted = 1000;
