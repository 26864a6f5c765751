const form = document.querySelector('form')
if (form) {
  syncScores(form)
  choosePicture(form)
}

const progress = document.querySelector('.progress')
if (progress) follow(progress)

/** Links each number with its slider, and previews the overall score. */
function syncScores(form) {
  const weighted = [...form.querySelectorAll('[data-weight]')]
  const overall = form.elements.weighted_score
  const compute = () => {
    const sum = weighted.reduce((sum, { value, dataset }) => sum + Number(value) * Number(dataset.weight), 0)
    overall.placeholder = String(Math.round(sum * 10) / 10)
  }
  for (const slider of form.querySelectorAll('[data-for]')) {
    const number = form.elements[slider.dataset.for]
    slider.hidden = false
    slider.addEventListener('input', () => {
      number.value = slider.value
      compute()
    })
    number.addEventListener('input', () => {
      slider.value = number.value
      compute()
    })
  }
  compute()
}

function choosePicture(form) {
  const [image, canvas, video] = form.querySelectorAll('.frame > *')
  const tools = [...form.querySelectorAll('[data-tool]')]
  const trouble = form.querySelector('[data-tool="trouble"]')
  const shutter = form.querySelector('[data-do="shoot"]')
  const paint = canvas.getContext('2d')
  let drawn = false

  form.querySelector('.choices').hidden = false
  for (const choice of form.querySelectorAll('[name="source"]'))
    choice.addEventListener('change', () => show(choice.value))
  form.querySelector('[data-do="clear"]').addEventListener('click', wipe)
  shutter.addEventListener('click', shoot)
  canvas.addEventListener('pointerdown', draw)
  canvas.addEventListener('pointermove', draw)
  form.addEventListener('submit', () => {
    form.elements.picture.value = drawn && !canvas.hidden ? canvas.toDataURL('image/jpeg', 0.85).split(',')[1] : ''
    const button = form.querySelector('[type="submit"]')
    button.disabled = true
    // If the browser's Stop button ends it, nothing tells the page.
    setTimeout(() => {
      button.disabled = false
    }, 5_000)
  })

  function show(source) {
    stopCamera()
    wipe()
    image.hidden = source !== 'sample'
    canvas.hidden = source !== 'drawing'
    video.hidden = source !== 'camera'
    for (const tool of tools) tool.hidden = tool.dataset.tool !== source
    shutter.textContent = 'Take picture'
    if (source === 'camera') startCamera()
  }

  function wipe() {
    drawn = false
    paint.fillStyle = '#f4efe6'
    paint.fillRect(0, 0, canvas.width, canvas.height)
  }

  function draw(event) {
    if (event.buttons !== 1) return
    const scale = canvas.width / canvas.clientWidth
    const to = [event.offsetX * scale, event.offsetY * scale]
    if (event.type === 'pointerdown') {
      canvas.setPointerCapture(event.pointerId)
      paint.beginPath()
      paint.moveTo(...to)
    }
    Object.assign(paint, { strokeStyle: '#0d6b5e', lineWidth: 10, lineCap: 'round', lineJoin: 'round' })
    paint.lineTo(...to)
    paint.stroke()
    drawn = true
  }

  async function startCamera() {
    try {
      video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { width: 640, height: 480 } })
      // The user may have switched to another picture during the permission prompt.
      if (video.hidden) stopCamera()
    } catch {
      trouble.textContent = 'The camera isn’t available. Unless you add a picture, the sample is sent.'
      trouble.hidden = false
    }
  }

  function shoot() {
    if (!video.srcObject) return show('camera')
    const side = Math.min(video.videoWidth, video.videoHeight)
    if (side === 0) return
    const left = (video.videoWidth - side) / 2
    const top = (video.videoHeight - side) / 2
    paint.drawImage(video, left, top, side, side, 0, 0, canvas.width, canvas.height)
    drawn = true
    stopCamera()
    video.hidden = true
    canvas.hidden = false
    shutter.textContent = 'Take another'
  }

  function stopCamera() {
    for (const track of video.srcObject?.getTracks() ?? []) track.stop()
    video.srcObject = null
  }
}

/** Polls until the event has arrived: every second at first, then less often, and not while the page is hidden. */
async function follow(progress) {
  const [heading, text] = progress.children
  for (let wait = 1_000; progress.dataset.final !== 'true'; wait = Math.min(wait * 1.2, 15_000)) {
    await new Promise((resolve) => setTimeout(resolve, wait))
    await untilVisible()
    const now = await fetchProgress()
    if (!now) continue
    progress.dataset.state = now.state
    progress.dataset.final = String(now.final)
    heading.textContent = now.heading
    text.textContent = now.text
  }
}

async function untilVisible() {
  if (document.hidden)
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }))
}

async function fetchProgress() {
  try {
    const response = await fetch(`${location.pathname}/status`)
    return response.ok ? await response.json() : null
  } catch {
    return null
  }
}
