import {
  createTheme,
  type CSSVariablesResolver,
  defaultVariantColorsResolver,
  type VariantColorsResolver,
} from '@mantine/core'
import { type Accents, accented, asVariables, dark, light, type Tokens } from './tokens.ts'
import styles from './theme.module.css'

const STATES = ['accent', 'good', 'warn', 'bad'] as const
const isState = (color: unknown): color is (typeof STATES)[number] => STATES.includes(color as never)

/** A shade list for Mantine; shown colours come from the variables below. */
const shades = (hex: string) => Array.from({ length: 10 }, () => hex) as never

/** Mantine's own variables, in the words of our tokens. */
function mantineVariables(t: Tokens): Record<string, string> {
  const own: Record<string, string> = {
    '--mantine-color-body': t.page,
    '--mantine-color-text': t.ink,
    '--mantine-color-bright': t.ink,
    '--mantine-color-dimmed': t.soft,
    '--mantine-color-placeholder': t.faint,
    '--mantine-color-anchor': t.accent,
    '--mantine-color-default': t.surface,
    '--mantine-color-default-hover': t.raised,
    '--mantine-color-default-color': t.ink,
    '--mantine-color-default-border': t.line,
    '--mantine-color-error': t.bad,
    '--mantine-color-disabled': t.raised,
    '--mantine-color-disabled-color': t.faint,
    '--mantine-color-disabled-border': t.line,
    '--mantine-primary-color-contrast': t.onAccent,
  }
  for (const name of STATES) {
    own[`--mantine-color-${name}-filled`] = t[name]
    own[`--mantine-color-${name}-filled-hover`] = t[name]
    own[`--mantine-color-${name}-light`] = t[`${name}Soft`]
    own[`--mantine-color-${name}-light-color`] = t[name]
    own[`--mantine-color-${name}-outline`] = t[name]
  }
  own['--mantine-primary-color-filled'] = t.accent
  own['--mantine-primary-color-light'] = t.accentSoft
  own['--mantine-primary-color-light-color'] = t.accent
  return own
}

const variablesOf = (tokens: Tokens) => ({ ...asVariables(tokens), ...mantineVariables(tokens) })

/** The look's variables in both themes, in the accents of a brand where it has its own. */
export const resolverFor =
  (own: { light: Accents; dark: Accents } | null): CSSVariablesResolver =>
  () => ({
    variables: {},
    light: variablesOf(accented(light, own?.light ?? null)),
    dark: variablesOf(accented(dark, own?.dark ?? null)),
  })

/** Filled, light, outline and subtle of the four colours; `default` is the quiet button. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const color = input.color ?? 'accent'
  if (!isState(color)) return defaultVariantColorsResolver(input)
  const own = `var(--v-${color})`
  const soft = `var(--v-${color}-soft)`
  const none = 'transparent'
  if (input.variant === 'filled')
    return {
      background: own,
      hover: `color-mix(in srgb, ${own}, black 10%)`,
      color: `var(--v-on-${color})`,
      border: none,
    }
  if (input.variant === 'light') return { background: soft, hover: soft, color: own, border: none }
  if (input.variant === 'outline')
    return { background: 'var(--v-surface)', hover: soft, color: own, border: '1px solid var(--v-line)' }
  if (input.variant === 'subtle') return { background: none, hover: soft, color: own, border: none }
  return defaultVariantColorsResolver(input)
}

const field = {
  classNames: {
    input: styles.input,
    label: styles.label,
    description: styles.description,
    error: styles.error,
  },
}

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: 7,
  colors: {
    accent: shades(light.accent),
    good: shades(light.good),
    warn: shades(light.warn),
    bad: shades(light.bad),
  },
  variantColorResolver,
  fontFamily: `'Inter Variable', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', system-ui, sans-serif`,
  fontFamilyMonospace: `ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace`,
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.45', lg: '1.4', xl: '1.3' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  defaultRadius: 'md',
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.3' },
      h2: { fontSize: '1rem', lineHeight: '1.35' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Button: {
      defaultProps: { variant: 'default', size: 'sm' },
      classNames: { root: styles.button, label: styles.buttonLabel },
    },
    ActionIcon: { defaultProps: { variant: 'subtle', size: 36 }, classNames: { root: styles.actionIcon } },
    Alert: {
      defaultProps: { variant: 'light' },
      classNames: { root: styles.alert, message: styles.alertMessage },
    },
    Anchor: { defaultProps: { underline: 'always' } },
    TextInput: field,
    Textarea: field,
    PasswordInput: { classNames: { ...field.classNames, innerInput: styles.innerInput } },
    NumberInput: field,
    NativeSelect: field,
    PinInput: { classNames: { root: styles.pins, input: styles.pin } },
    Select: { defaultProps: { allowDeselect: false }, classNames: field.classNames },
    InputWrapper: {
      classNames: { label: styles.label, description: styles.description, error: styles.error },
    },
    Switch: {
      defaultProps: { size: 'md', withThumbIndicator: false },
      classNames: {
        root: styles.switch,
        input: styles.switchInput,
        track: styles.switchTrack,
        thumb: styles.switchThumb,
        label: styles.switchLabel,
      },
    },
    Checkbox: {
      classNames: { body: styles.checkBody, input: styles.checkInput, label: styles.checkLabel },
    },
    Slider: {
      defaultProps: { color: 'accent', size: 5, thumbSize: 20 },
      classNames: { track: styles.sliderTrack, thumb: styles.sliderThumb, markLabel: styles.sliderMark },
    },
    RangeSlider: {
      defaultProps: { color: 'accent', size: 5, thumbSize: 20 },
      classNames: { track: styles.sliderTrack, thumb: styles.sliderThumb, markLabel: styles.sliderMark },
    },
    SegmentedControl: {
      classNames: {
        root: styles.segments,
        label: styles.segment,
        indicator: styles.segmentIndicator,
        control: styles.segmentControl,
      },
    },
    Modal: {
      defaultProps: { centered: true, size: 440, transitionProps: { duration: 140, transition: 'fade-up' } },
      classNames: {
        content: styles.modal,
        header: styles.modalHeader,
        title: styles.modalTitle,
        body: styles.modalBody,
        close: styles.close,
        overlay: styles.overlay,
      },
    },
    Menu: {
      defaultProps: {
        shadow: 'none',
        withInitialFocusPlaceholder: false,
        transitionProps: { duration: 120 },
      },
      classNames: { dropdown: styles.menu, item: styles.menuItem, label: styles.menuLabel },
    },
    Tooltip: {
      defaultProps: { openDelay: 250, transitionProps: { duration: 120 } },
      classNames: { tooltip: styles.tooltip },
    },
    Progress: {
      // Nothing moves by itself (look 10), and a bar that glides costs a long list a dozen frames a second.
      defaultProps: { size: 6, radius: 'xl', transitionDuration: 0 },
      classNames: { root: styles.progress },
    },
    Notification: {
      defaultProps: { radius: 'md', withBorder: true },
      classNames: {
        root: styles.toast,
        title: styles.toastTitle,
        description: styles.toastText,
        closeButton: styles.toastClose,
      },
    },
    Divider: { defaultProps: { color: 'var(--v-line)' } },
    Skeleton: { defaultProps: { animate: false }, classNames: { root: styles.skeleton } },
  },
})
