import { lazily } from '../ui/lazily.tsx'

/** What a G-code file prints, in three dimensions; its code, and that of the graphics, comes when it is shown. */
export const GcodeView = lazily(async () => (await import('./GcodeView.tsx')).GcodeView)
