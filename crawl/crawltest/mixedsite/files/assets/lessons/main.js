import { load } from './data.js'
import { show } from './view.js'

const lesson = document.querySelector('[data-lesson]')
show(lesson, await load(lesson.dataset.lesson))
