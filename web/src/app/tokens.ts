export interface Accents {
  accent: string
  accent_soft: string
  on_accent: string
}

/** The colours of the look, once. Everything else names them as `var(--v-…)`. */
export interface Tokens {
  page: string
  surface: string
  raised: string
  line: string
  ink: string
  soft: string
  faint: string
  accent: string
  accentSoft: string
  onAccent: string
  good: string
  goodSoft: string
  onGood: string
  warn: string
  warnSoft: string
  onWarn: string
  bad: string
  badSoft: string
  onBad: string
  camera: string
  onCamera: string
  onCameraSoft: string
  cameraTag: string
  cameraGood: string
  cameraAccent: string
  cameraWarn: string
  cameraBad: string
  arcGood: string
  arcWarn: string
  arcBad: string
  shadow: string
}

/** `faint`, `good` and `warn` are darker than the first sketch: 4.5 to 1 on every ground they stand on. */
export const light: Tokens = {
  page: '#f6f5f2',
  surface: '#ffffff',
  raised: '#fbfaf8',
  line: '#e4e1da',
  ink: '#1b1d22',
  soft: '#5d6370',
  faint: '#696f7b',
  accent: '#4053d6',
  accentSoft: '#e9ecff',
  onAccent: '#ffffff',
  good: '#0b7a66',
  goodSoft: '#dff3ee',
  onGood: '#ffffff',
  warn: '#935700',
  warnSoft: '#fdf0d6',
  onWarn: '#ffffff',
  bad: '#c62f36',
  badSoft: '#fde7e7',
  onBad: '#ffffff',
  camera: '#15171b',
  onCamera: '#f4f5f7',
  onCameraSoft: '#9aa1ae',
  cameraTag: 'rgb(13 15 18 / 88%)',
  cameraGood: '#3fc7a8',
  cameraAccent: '#8c9bff',
  cameraWarn: '#f2b04b',
  cameraBad: '#ff6b6f',
  arcGood: '#0f8a74',
  arcWarn: '#a86400',
  arcBad: '#c62f36',
  shadow: '0 1px 2px rgb(27 29 34 / 5%)',
}

export const dark: Tokens = {
  page: '#0f1115',
  surface: '#171a20',
  raised: '#1d2129',
  line: '#2a2f39',
  ink: '#eceef2',
  soft: '#a5acb9',
  faint: '#8991a0',
  accent: '#8c9bff',
  accentSoft: '#232a4d',
  onAccent: '#0f1115',
  good: '#3fc7a8',
  goodSoft: '#12332c',
  onGood: '#0f1115',
  warn: '#f2b04b',
  warnSoft: '#3a2a10',
  onWarn: '#0f1115',
  bad: '#ff6b6f',
  badSoft: '#43191c',
  onBad: '#1d0708',
  camera: '#0a0b0e',
  onCamera: '#f4f5f7',
  onCameraSoft: '#9aa1ae',
  cameraTag: 'rgb(13 15 18 / 88%)',
  cameraGood: '#3fc7a8',
  cameraAccent: '#8c9bff',
  cameraWarn: '#f2b04b',
  cameraBad: '#ff6b6f',
  arcGood: '#3fc7a8',
  arcWarn: '#f2b04b',
  arcBad: '#ff6b6f',
  shadow: 'none',
}

/** The look in the accent of a brand: nothing else of it differs (docs/wire/rest.md 8). */
export function accented(tokens: Tokens, own: Accents | null): Tokens {
  if (!own) return tokens
  return { ...tokens, accent: own.accent, accentSoft: own.accent_soft, onAccent: own.on_accent }
}

/** `accentSoft` → `--v-accent-soft`. */
export function asVariables(tokens: Tokens): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tokens).map(([name, value]) => [
      `--v-${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`,
      value,
    ]),
  )
}
