// A banner as shops have it, until it was answered.
if (!document.cookie.includes("consent=")) {
  const banner = document.createElement("div");
  banner.id = "consent";
  banner.className = "cookie-banner";
  banner.setAttribute("role", "dialog");
  banner.setAttribute("aria-label", "Cookies");
  banner.innerHTML = "<p>We use cookies to remember your basket, and would like to use some to remember you.</p>";
  for (const [label, value] of [["Accept all", "all"], ["Only what is needed", "some"]]) {
    const button = document.createElement("button");
    button.className = value === "all" ? "button" : "button second";
    button.textContent = label;
    button.onclick = () => { document.cookie = "consent=" + value + "; path=/; max-age=86400"; banner.remove(); };
    banner.append(button);
  }
  document.body.append(banner);
}
