/** A browser as people know it, by what it says of itself: `Firefox, Linux`; '' for one that says nothing known. */
export function browserName(agent: string): string {
  const browser = /\b(Edg|OPR|SamsungBrowser|Firefox|FxiOS|CriOS|Chrome|Safari)\//.exec(agent)?.[1] ?? ''
  const system = /\b(Android|iPhone|iPad|Windows|Mac OS X|CrOS|Linux)\b/.exec(agent)?.[1] ?? ''
  const names: Record<string, string> = {
    Edg: 'Edge',
    OPR: 'Opera',
    SamsungBrowser: 'Samsung Internet',
    FxiOS: 'Firefox',
    CriOS: 'Chrome',
    'Mac OS X': 'macOS',
    CrOS: 'ChromeOS',
  }
  return [browser, system].flatMap((name) => (name === '' ? [] : [names[name] ?? name])).join(', ')
}
