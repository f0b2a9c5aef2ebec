//! How a browser shows pages: in which colors, how wide, how large, and as on paper.

use serde_json::json;

use super::{Session, Theme};

impl Session {
    /// Shows pages in that set of colors from now on.
    pub(crate) fn show(&self, theme: Theme) {
        let value = match theme {
            Theme::Light => "light",
            Theme::Dark => "dark",
        };
        let wanted = json!({ "features": [{ "name": "prefers-color-scheme", "value": value }] });
        self.command("Emulation.setEmulatedMedia", &wanted);
    }

    /// Gives pages that many pixels in width from now on.
    pub(crate) fn narrow(&self, width: u32) {
        let wanted = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.command("Emulation.setDeviceMetricsOverride", &wanted);
    }

    /// Shows pages so many times as large from now on, in a window of 1,280 pixels, as the browser's own zoom does.
    pub(crate) fn enlarge(&self, times: u32) {
        let (width, height) = (1_280 / times, 900 / times);
        let wanted = json!({ "width": width, "height": height, "deviceScaleFactor": times, "mobile": false });
        self.command("Emulation.setDeviceMetricsOverride", &wanted);
    }

    /// Shows pages as paper has them: of that width, by the rules for print.
    pub(crate) fn show_on_paper(&self, width: u32) {
        self.narrow(width);
        self.command("Emulation.setEmulatedMedia", &json!({ "media": "print" }));
    }
}
