/** Of larger fleets the picture of the overview cannot show each device. */
export const maxDots = 20_000;
