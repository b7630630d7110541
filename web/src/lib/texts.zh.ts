import accounts from '../../../locales/zh/accounts.json'
import camera from '../../../locales/zh/camera.json'
import common from '../../../locales/zh/common.json'
import events from '../../../locales/zh/events.json'
import notifications from '../../../locales/zh/notifications.json'
import stats from '../../../locales/zh/stats.json'
import linking from '../../../locales/zh/linking.json'
import printers from '../../../locales/zh/printers.json'
import settings from '../../../locales/zh/settings.json'
import toolhead from '../../../locales/zh/toolhead.json'
import temperatures from '../../../locales/zh/temperatures.json'
import terminal from '../../../locales/zh/terminal.json'
import tunnel from '../../../locales/zh/tunnel.json'
import widgets from '../../../locales/zh/widgets.json'
import catalogue from '../../../locales/zh/catalogue.json'
import feedback from '../../../locales/zh/feedback.json'
import cloudprints from '../../../locales/zh/cloudprints.json'
import printerfiles from '../../../locales/zh/printerfiles.json'
import files from '../../../locales/zh/files.json'
import gallery from '../../../locales/zh/gallery.json'
import hours from '../../../locales/zh/hours.json'
import nozzle from '../../../locales/zh/nozzle.json'
import grid from '../../../locales/zh/grid.json'
import history from '../../../locales/zh/history.json'
import gcode from '../../../locales/zh/gcode.json'
import machines from '../../../locales/zh/machines.json'
import queue from '../../../locales/zh/queue.json'
import replay from '../../../locales/zh/replay.json'
import sharing from '../../../locales/zh/sharing.json'
import shortcuts from '../../../locales/zh/shortcuts.json'
import slicers from '../../../locales/zh/slicers.json'
import printpage from '../../../locales/zh/printpage.json'
import player from '../../../locales/zh/player.json'
import uploads from '../../../locales/zh/uploads.json'
import video from '../../../locales/zh/video.json'
import zones from '../../../locales/zh/zones.json'

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
