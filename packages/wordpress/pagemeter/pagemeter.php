<?php
/**
 * Plugin Name: Pagemeter
 * Description: Puts the script of your Pagemeter server into every page, but those that you see while you are logged in.
 * Version: 0.1.0
 * Requires at least: 6.1
 * Requires PHP: 7.4
 * License: MIT
 * Text Domain: pagemeter
 */

if (!defined('ABSPATH')) {
    exit;
}

const PAGEMETER_OPTION = 'pagemeter';

/** Script and tracking code, or null while one of them is missing. */
function pagemeter_settings()
{
    $settings = get_option(PAGEMETER_OPTION, []);
    if (!is_array($settings) || empty($settings['script']) || empty($settings['code'])) {
        return null;
    }
    return $settings;
}

/** Keeps what is an address and a tracking code, and nothing else. */
function pagemeter_sanitize($given)
{
    $script = isset($given['script']) ? esc_url_raw(trim($given['script']), ['http', 'https']) : '';
    $code = isset($given['code']) ? trim($given['code']) : '';
    if ($code !== '' && !preg_match('/^pm-[0-9A-Za-z]{1,40}-[0-9]{1,16}$/', $code)) {
        add_settings_error(
            PAGEMETER_OPTION,
            'code',
            __('This is not a tracking code, so it was not saved: it begins with pm- and ends with a number.', 'pagemeter')
        );
        $code = '';
    }
    return [
        'script' => $script,
        'code' => $code,
        'editors' => !empty($given['editors']),
    ];
}

add_action('wp_head', function () {
    $settings = pagemeter_settings();
    if ($settings === null || (current_user_can('edit_posts') && empty($settings['editors']))) {
        return;
    }
    printf(
        '<script async src="%s" data-tracking-code="%s"></script>' . "\n",
        esc_url($settings['script']),
        esc_attr($settings['code'])
    );
});

add_action('admin_init', function () {
    register_setting('pagemeter', PAGEMETER_OPTION, ['sanitize_callback' => 'pagemeter_sanitize']);
});

add_action('admin_menu', function () {
    add_options_page('Pagemeter', 'Pagemeter', 'manage_options', 'pagemeter', 'pagemeter_page');
});

add_filter('plugin_action_links_' . plugin_basename(__FILE__), function ($links) {
    $url = admin_url('options-general.php?page=pagemeter');
    array_unshift($links, '<a href="' . esc_url($url) . '">' . esc_html__('Settings', 'pagemeter') . '</a>');
    return $links;
});

function pagemeter_page()
{
    $settings = get_option(PAGEMETER_OPTION, []);
    $settings = is_array($settings) ? $settings : [];
    ?>
    <div class="wrap">
      <h1>Pagemeter</h1>
      <p><?php esc_html_e('Both are in the tag that your Pagemeter shows on the page "How to install".', 'pagemeter'); ?></p>
      <form method="post" action="options.php">
        <?php settings_fields('pagemeter'); ?>
        <table class="form-table" role="presentation">
          <tr>
            <th scope="row"><label for="pagemeter-script"><?php esc_html_e('Address of the script', 'pagemeter'); ?></label></th>
            <td><input class="regular-text" type="url" id="pagemeter-script" name="pagemeter[script]"
              placeholder="https://meter.example.com/m.js" value="<?php echo esc_attr($settings['script'] ?? ''); ?>"></td>
          </tr>
          <tr>
            <th scope="row"><label for="pagemeter-code"><?php esc_html_e('Tracking code', 'pagemeter'); ?></label></th>
            <td><input class="regular-text" type="text" id="pagemeter-code" name="pagemeter[code]"
              placeholder="pm-…" value="<?php echo esc_attr($settings['code'] ?? ''); ?>"></td>
          </tr>
          <tr>
            <th scope="row"><?php esc_html_e('Editors', 'pagemeter'); ?></th>
            <td><label><input type="checkbox" name="pagemeter[editors]" value="1"
              <?php echo empty($settings['editors']) ? '' : 'checked'; ?>> <?php esc_html_e('Also count users who may write posts', 'pagemeter'); ?></label></td>
          </tr>
        </table>
        <?php submit_button(); ?>
      </form>
    </div>
    <?php
}
