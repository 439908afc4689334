// Deals with cookie banners: "find" names the one that is shown, "reject" presses its reject button, "hide" hides it and whatever belongs
// to it, "had" says whether a selector means a part of one that was dealt with. Each gives a name, "" for nothing. Needs no rules of others; the platforms and their ids are publicly documented.
([step, property, selector]) => {
  const KNOWN = [ // name, containers, buttons that reject
    ["OneTrust", "#onetrust-consent-sdk, #onetrust-banner-sdk", "#onetrust-reject-all-handler, .ot-pc-refuse-all-handler"],
    ["Cookiebot", "#CybotCookiebotDialog, #CybotCookiebotDialogBodyUnderlay", "#CybotCookiebotDialogBodyButtonDecline, #CybotCookiebotDialogBodyLevelButtonLevelOptinDeclineAll"],
    ["Usercentrics", "#usercentrics-root, #usercentrics-cmp-ui, #uc-banner-modal", "[data-testid=uc-deny-all-button], #uc-btn-deny-banner, button#deny"],
    ["Didomi", "#didomi-host", "#didomi-notice-disagree-button, .didomi-continue-without-agreeing"],
    ["Quantcast", "#qc-cmp2-container, .qc-cmp2-container", ""],
    ["TrustArc", "#truste-consent-track, #trustarc-banner-overlay, .truste_overlay, .truste_box_overlay, #consent_blackbar", "#truste-consent-required"],
    ["Sourcepoint", "[id^=sp_message_container]", ""],
    ["Iubenda", "#iubenda-cs-banner", ".iubenda-cs-reject-btn"],
    ["CookieYes", ".cky-consent-container, .cky-overlay", ".cky-btn-reject"],
    ["Cookie Law Info", "#cookie-law-info-bar, .cli-modal-backdrop", "#cookie_action_close_header_reject"],
    ["Complianz", "#cmplz-cookiebanner-container", ".cmplz-deny"],
    ["Osano", ".osano-cm-window", ".osano-cm-denyAll, .osano-cm-deny"],
    ["Cookie Consent", ".cc-window, #cc-main, #cc--main", ".cc-deny, #cc-main [data-role=necessary], #c-s-bn"],
    ["Klaro", "#klaro", "#klaro .cm-btn-decline, #klaro .cn-decline"],
    ["Borlabs", "#BorlabsCookieBox", "[data-cookie-refuse]"],
    ["Funding Choices", ".fc-consent-root", ".fc-cta-do-not-consent"],
    ["consentmanager", "#cmpwrapper, #cmpbox, #cmpbox2", "#cmpbntnotxt, .cmpboxbtnno"],
    ["Termly", "#termly-code-snippet-support", "[data-tid=banner-decline]"],
    ["CookieFirst", "#cookiefirst-root, .cookiefirst-root", "[data-cookiefirst-action=reject]"],
    ["Axeptio", "#axeptio_overlay", "#axeptio_btn_dismiss"],
    ["tarteaucitron", "#tarteaucitronRoot", "#tarteaucitronAllDenied2"],
    ["Civic", "#ccc", "#ccc-reject-settings, #ccc-notify-reject"],
  ];
  const WORDS = /cookie|gdpr|dsgvo|we (and our partners )?(use|value|respect|care about) your (privacy|data)|your privacy (choices|matters)|tracking|privatsphäre|einwilligung|vie privée|consentement|privacidad|consentimiento|informativa|consenso|privacybeleid|toestemming|samtycke|samtykke|zgod/i;
  const REJECT = new RegExp("^(" + [
    "(reject|decline|deny|refuse|disagree|opt.?out)( (all|everything|cookies|all cookies|and close|optional cookies|additional cookies|non.?essential( cookies)?))?",
    "i (decline|disagree|do not accept|refuse)", "no,? thanks", "do not (consent|accept|agree|allow)",
    "(use |accept |allow |only )*(strictly )?(necessary|essential|required)( cookies)?( only)?", "continue without (accepting|agreeing|consent).*",
    "(alle |alles )?(cookies )?ablehnen", "nur (notwendige|essenzielle|essentielle|erforderliche|technisch notwendige).*", "weiter ohne (zustimmung|einwilligung|akzept).*",
    "(tout|je) refuse[rz]?( tout)?", "refuser( tout| les cookies)?", "continuer sans accepter.*",
    "rechazar( todo| todas| cookies| todas las cookies)?", "(solo|sólo) (las )?necesarias", "rifiuta( tutto| tutti)?", "continua senza accettare", "recusar( tudo| todos)?", "rejeitar( tudo| todos)?",
    "(alles |alle )?(weigeren|afwijzen)", "alleen (noodzakelijke|functionele).*", "(odrzuć|odmów|odrzucam)( wszystkie| wszystko)?", "(avvisa|neka|avslå|afvis|avvis)( alla| alle)?", "(endast|kun) nödvändiga.*", "hylkää( kaikki)?", "odmítnout( vše)?",
  ].join("|") + ")$", "i");

  const visible = (e) => {
    const box = e.getBoundingClientRect();
    return box.width > 5 && box.height > 5 && e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  // A platform's root has often no size of its own, and often a shadow tree.
  const shows = (e) => visible(e) || [...(e.shadowRoot || e).querySelectorAll("*")].slice(0, 300).some(visible);
  const all = (root, selector) => selector ? [...root.querySelectorAll(selector)] : [];
  const known = () => KNOWN.map(([name, boxes, buttons]) => ({ name, boxes: all(document, boxes), buttons })).filter((k) => k.boxes.some(shows));

  // What covers the page: fixed elements found by looking at points of it.
  const covering = () => {
    const found = new Set();
    for (const fx of [0.05, 0.25, 0.5, 0.75, 0.95]) for (const fy of [0.03, 0.25, 0.5, 0.75, 0.9, 0.97]) {
      let top = null;
      for (let n = document.elementFromPoint(fx * innerWidth, fy * innerHeight); n && n !== document.body && n !== document.documentElement; n = n.parentElement || n.getRootNode().host) {
        if (/^(fixed|sticky)$/.test(getComputedStyle(n).position)) top = n;
      }
      if (top) found.add(top);
    }
    return [...found];
  };
  const buttons = (root) => {
    const list = all(root, "button, [role=button], a, input[type=button], input[type=submit]");
    for (const e of all(root, "*")) if (e.shadowRoot) list.push(...buttons(e.shadowRoot));
    if (root.shadowRoot) list.push(...buttons(root.shadowRoot));
    return list;
  };
  const words = (e) => (e.innerText || "") + (e.shadowRoot ? e.shadowRoot.textContent : "");
  const isBanner = (e) => {
    const text = words(e);
    return text.length < 8000 && WORDS.test(text) && buttons(e).length > 0 && !/^(header|nav|main|article)$/i.test(e.localName);
  };
  const unknown = () => covering().filter(isBanner);
  const label = (b) => (b.innerText || b.value || b.textContent || b.getAttribute("aria-label") || "").trim().replace(/\s+/g, " ").replace(/[.!›»→✕×]+$/, "").trim();
  const press = (list) => {
    const b = list.find(visible);
    if (b) b.click();
    return !!b;
  };
  const byText = (boxes) => press(boxes.flatMap(buttons).filter((b) => REJECT.test(label(b))));

  // Marked banners are left out of the page's content as soon as they are hidden, whichever script hides them.
  const sign = (e) => {
    if (!property) return;
    e.style.setProperty(property, "1");
    keep(e);
  };
  // A copy of each banner is kept, in a document that nothing shows: see "had".
  const keep = (e) => {
    if (!window[property]) Object.defineProperty(window, property, { value: { copies: new WeakMap(), document: document.implementation.createHTMLDocument("") } });
    const kept = window[property], copy = kept.document.importNode(e, true);
    const former = kept.copies.get(e);
    if (former) former.replaceWith(copy);
    else if (kept.document.body.childElementCount < 20) kept.document.body.append(copy);
    kept.copies.set(e, copy);
  };
  // Whether a selector means a part of a banner: its first match is in one, or it has none left but in a copy.
  const had = () => {
    if (!window[property]) return "";
    const match = document.querySelector(selector);
    for (let n = match; n; n = n.parentElement) if (n.style && n.style.getPropertyValue(property)) return "banner";
    return !match && window[property].document.querySelector(selector) ? "banner" : "";
  };
  const find = () => {
    const k = known();
    k.forEach((one) => one.boxes.forEach(sign));
    if (k.length) return k[0].name;
    const others = unknown();
    others.forEach(sign);
    return others.length ? "cookie banner" : "";
  };
  const reject = () => {
    for (const k of known()) {
      const inside = k.boxes.flatMap((e) => e.shadowRoot ? all(e.shadowRoot, k.buttons) : []);
      if (press([...all(document, k.buttons), ...inside]) || byText(k.boxes)) return k.name;
    }
    return byText(unknown()) ? "cookie banner" : "";
  };
  const drop = (e) => {
    e.style.setProperty("display", "none", "important");
    sign(e);
  };
  const hide = () => {
    const name = find();
    if (!name) return "";
    for (const k of known()) k.boxes.forEach(drop);
    unknown().forEach(drop);
    // The curtain behind it: large, without words of its own.
    for (const e of covering()) {
      const box = e.getBoundingClientRect();
      if (box.width * box.height > innerWidth * innerHeight / 2 && words(e).trim().length < 20 && !e.querySelector("video, canvas, iframe, input")) drop(e);
    }
    for (const e of [document.documentElement, document.body]) {
      const style = getComputedStyle(e);
      if (/hidden|clip/.test(style.overflowY)) e.style.setProperty("overflow", "auto", "important");
      if (e === document.body && style.position === "fixed") e.style.setProperty("position", "static", "important");
    }
    return name;
  };
  return { find, reject, hide, had }[step]();
}
