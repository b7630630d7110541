const DIGITS = 6

/** A PIN to offer: six digits are easily told on the phone, and a million of them are not tried out. */
export function newPin(): string {
  const whole = 10 ** DIGITS
  // Numbers above the last full million would make some PINs likelier than others.
  const fair = 2 ** 32 - (2 ** 32 % whole)
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1))
  return drawn < fair ? String(drawn % whole).padStart(DIGITS, '0') : newPin()
}
