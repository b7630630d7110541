/** Apps that we know by name, and the letters of their mark. */
const APPS = [
  { word: 'octoapp', mark: 'OA' },
  { word: 'mobileraker', mark: 'MR' },
  { word: 'printoid', mark: 'Pr' },
  { word: 'polymer', mark: 'Po' },
  { word: 'octopod', mark: 'OP' },
] as const

export type Platform = 'octoprint' | 'klipper'

/** Two letters for an app that we know; null for any other. */
export function markOf(app: string): string | null {
  const name = app.toLowerCase().replaceAll(/[^a-z]/g, '')
  return APPS.find(({ word }) => name.startsWith(word))?.mark ?? null
}

/** What the app is for: as it says, else by its name; Mobileraker and OctoApp for Klipper are Klipper's. */
export function platformOf(app: string, said: string | undefined): Platform {
  const word = said?.toLowerCase()
  if (word === 'klipper' || word === 'octoprint') return word
  return /klipper|moonraker|mobileraker/i.test(app) ? 'klipper' : 'octoprint'
}
