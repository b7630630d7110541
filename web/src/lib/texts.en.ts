import accounts from '../../../locales/en/accounts.json'
import camera from '../../../locales/en/camera.json'
import common from '../../../locales/en/common.json'
import events from '../../../locales/en/events.json'
import notifications from '../../../locales/en/notifications.json'
import stats from '../../../locales/en/stats.json'
import linking from '../../../locales/en/linking.json'
import printers from '../../../locales/en/printers.json'
import settings from '../../../locales/en/settings.json'
import toolhead from '../../../locales/en/toolhead.json'
import temperatures from '../../../locales/en/temperatures.json'
import terminal from '../../../locales/en/terminal.json'
import tunnel from '../../../locales/en/tunnel.json'
import widgets from '../../../locales/en/widgets.json'
import catalogue from '../../../locales/en/catalogue.json'
import feedback from '../../../locales/en/feedback.json'
import cloudprints from '../../../locales/en/cloudprints.json'
import printerfiles from '../../../locales/en/printerfiles.json'
import files from '../../../locales/en/files.json'
import gallery from '../../../locales/en/gallery.json'
import hours from '../../../locales/en/hours.json'
import nozzle from '../../../locales/en/nozzle.json'
import grid from '../../../locales/en/grid.json'
import history from '../../../locales/en/history.json'
import gcode from '../../../locales/en/gcode.json'
import machines from '../../../locales/en/machines.json'
import queue from '../../../locales/en/queue.json'
import replay from '../../../locales/en/replay.json'
import sharing from '../../../locales/en/sharing.json'
import shortcuts from '../../../locales/en/shortcuts.json'
import slicers from '../../../locales/en/slicers.json'
import printpage from '../../../locales/en/printpage.json'
import player from '../../../locales/en/player.json'
import uploads from '../../../locales/en/uploads.json'
import video from '../../../locales/en/video.json'
import zones from '../../../locales/en/zones.json'

export const texts = {
  notifications,
  player,
  printpage,
  uploads,
  video,
  zones,
  gcode,
  machines,
  queue,
  replay,
  sharing,
  shortcuts,
  slicers,
  feedback,
  cloudprints,
  printerfiles,
  files,
  gallery,
  hours,
  nozzle,
  grid,
  history,
  catalogue,
  accounts,
  camera,
  common,
  events,
  stats,
  linking,
  printers,
  settings,
  toolhead,
  temperatures,
  terminal,
  tunnel,
  widgets,
}
